CREATE TABLE public.absences (
    chat_id bigint NOT NULL,
    person bigint NOT NULL
);
CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.blocks (
    person bigint NOT NULL,
    blocked bigint NOT NULL
);
CREATE TABLE public.boards (
    id bigint NOT NULL,
    game_id bigint NOT NULL,
    chat_id bigint,
    thread_id bigint,
    message_id bigint,
    inline_message_id character varying(64),
    viewer bigint,
    language character varying(16),
    theme character varying(16),
    as_text boolean DEFAULT false NOT NULL,
    no_comments boolean DEFAULT false NOT NULL,
    shows character varying(32),
    reviewer bigint,
    aside boolean DEFAULT false NOT NULL,
    replaces bigint,
    leaving boolean DEFAULT false NOT NULL,
    wanted integer DEFAULT 1 NOT NULL,
    shown integer DEFAULT 0 NOT NULL,
    shown_at bigint,
    timed_from integer DEFAULT 1 NOT NULL,
    look_at bigint DEFAULT 0 NOT NULL,
    claims integer DEFAULT 0 NOT NULL,
    acted_at bigint DEFAULT 0 NOT NULL,
    called boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.boards_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.boards_id_seq OWNED BY public.boards.id;
CREATE TABLE public.chats (
    id bigint NOT NULL,
    level character varying(16),
    first character varying(16),
    theme character varying(16),
    as_text boolean DEFAULT false NOT NULL,
    language character varying(16),
    rules character varying(16),
    no_comments boolean DEFAULT false NOT NULL,
    seen_updates character varying(240) DEFAULT ''::character varying NOT NULL,
    left_at bigint,
    season_at bigint
);
CREATE TABLE public.cup_games (
    cup bigint NOT NULL,
    number integer NOT NULL,
    round integer NOT NULL,
    x integer NOT NULL,
    o integer,
    game_id bigint,
    result character varying(16)
);
CREATE TABLE public.cup_players (
    cup bigint NOT NULL,
    number integer NOT NULL,
    person bigint NOT NULL,
    missed integer DEFAULT 0 NOT NULL,
    is_out boolean DEFAULT false NOT NULL,
    place integer
);
CREATE TABLE public.cups (
    id bigint NOT NULL,
    chat_id bigint NOT NULL,
    thread_id bigint,
    language character varying(16),
    rules character varying(16) NOT NULL,
    clock integer NOT NULL,
    stage character varying(16) DEFAULT 'open'::character varying NOT NULL,
    rounds integer DEFAULT 0 NOT NULL,
    created_at bigint DEFAULT 0 NOT NULL,
    due_at bigint,
    message_id bigint,
    update_id bigint
);
CREATE SEQUENCE public.cups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.cups_id_seq OWNED BY public.cups.id;
CREATE TABLE public.erasures (
    person bigint NOT NULL,
    stage character varying(16) NOT NULL,
    at bigint NOT NULL,
    alias bigint NOT NULL,
    cursor bigint NOT NULL
);
CREATE TABLE public.forgotten (
    digest character varying(32) NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.games (
    id bigint NOT NULL,
    chat_id bigint,
    rules character varying(16) NOT NULL,
    kind character varying(16) NOT NULL,
    x_seat bigint,
    o_seat bigint,
    x_level character varying(16),
    o_level character varying(16),
    next_level character varying(16),
    rival_id bigint,
    rival_username character varying(32),
    host bigint,
    any_rules boolean DEFAULT false NOT NULL,
    told integer,
    link character varying(32),
    inline_person bigint,
    inline_offer character varying(32),
    time_limits character varying(16) DEFAULT 'usual'::character varying NOT NULL,
    clock integer,
    moves character varying(81) DEFAULT ''::character varying NOT NULL,
    beats bigint,
    offer character varying(16),
    offered_by character varying(16),
    declined character varying(16),
    declined_by character varying(16),
    hushed boolean DEFAULT false NOT NULL,
    takebacks integer DEFAULT 0 NOT NULL,
    spent character varying(600) DEFAULT ''::character varying NOT NULL,
    "left" character varying(16),
    removed boolean DEFAULT false NOT NULL,
    due_then bigint,
    termination character varying(16),
    winner character varying(16),
    ended_by bigint,
    best_of integer,
    x_wins integer DEFAULT 0 NOT NULL,
    o_wins integer DEFAULT 0 NOT NULL,
    draws integer DEFAULT 0 NOT NULL,
    next_game bigint,
    wordings integer DEFAULT 0 NOT NULL,
    x_rating character varying(8),
    o_rating character varying(8),
    x_rated character varying(8),
    o_rated character varying(8),
    x_reached character varying(32),
    o_reached character varying(32),
    created_at bigint DEFAULT 0 NOT NULL,
    changed_at bigint DEFAULT 0 NOT NULL,
    moved_at bigint DEFAULT 0 NOT NULL,
    due_at bigint,
    reminded integer,
    update_id bigint,
    seen_updates character varying(240) DEFAULT ''::character varying NOT NULL,
    version integer DEFAULT 1 NOT NULL
);
CREATE SEQUENCE public.games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.games_id_seq OWNED BY public.games.id;
CREATE TABLE public.levels (
    person bigint NOT NULL,
    family character varying(16) NOT NULL,
    level character varying(16) NOT NULL,
    streak integer NOT NULL
);
CREATE TABLE public.meetings (
    game_id bigint NOT NULL,
    person bigint NOT NULL,
    opponent bigint NOT NULL,
    rules character varying(16) NOT NULL,
    person_since bigint NOT NULL,
    opponent_since bigint NOT NULL,
    met_at bigint NOT NULL,
    person_any boolean DEFAULT false NOT NULL,
    opponent_any boolean DEFAULT false NOT NULL
);
CREATE TABLE public.messages (
    chat_id bigint NOT NULL,
    message_id bigint NOT NULL,
    game_id bigint NOT NULL
);
CREATE TABLE public.milestones (
    person bigint NOT NULL,
    name character varying(16) NOT NULL,
    progress integer NOT NULL,
    reached_at bigint
);
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    kind character varying(16) NOT NULL,
    game_id bigint,
    ply integer,
    chat_id bigint NOT NULL,
    thread_id bigint,
    language character varying(16),
    look_at bigint NOT NULL,
    person bigint,
    subject bigint,
    family character varying(16) DEFAULT ''::character varying NOT NULL,
    here boolean DEFAULT false NOT NULL,
    said boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;
CREATE TABLE public.pairs (
    person bigint NOT NULL,
    opponent bigint NOT NULL,
    family character varying(16) NOT NULL,
    day integer NOT NULL,
    games integer NOT NULL
);
CREATE TABLE public.people (
    id bigint NOT NULL,
    name character varying(256) NOT NULL,
    language character varying(16),
    takebacks boolean DEFAULT true NOT NULL,
    notices boolean,
    username character varying(32),
    hidden boolean DEFAULT false NOT NULL,
    seen_at bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.progress (
    name character varying(16) NOT NULL,
    value bigint NOT NULL
);
CREATE TABLE public.pseudonyms (
    digest character varying(32) NOT NULL,
    alias bigint NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.puzzles (
    person bigint NOT NULL,
    day integer NOT NULL,
    moves character varying(16) DEFAULT ''::character varying NOT NULL,
    missed boolean DEFAULT false NOT NULL,
    wrong integer DEFAULT 0 NOT NULL,
    streak integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    solved_at bigint,
    remind_at bigint,
    chat_id bigint
);
CREATE TABLE public.rating_days (
    person bigint NOT NULL,
    family character varying(16) NOT NULL,
    day integer NOT NULL,
    rating double precision NOT NULL
);
CREATE TABLE public.ratings (
    person bigint NOT NULL,
    family character varying(16) NOT NULL,
    rating double precision NOT NULL,
    deviation double precision NOT NULL,
    volatility double precision NOT NULL,
    day integer NOT NULL,
    games integer NOT NULL,
    opponents integer NOT NULL,
    settled integer NOT NULL,
    settled_until integer NOT NULL
);
CREATE TABLE public.replays (
    game_id bigint NOT NULL,
    form character varying(16) NOT NULL,
    look character varying(32) NOT NULL,
    file_id character varying(255) NOT NULL
);
CREATE TABLE public.results (
    game_id bigint NOT NULL,
    person bigint NOT NULL,
    opponent bigint NOT NULL,
    level character varying(16),
    rules character varying(16) NOT NULL,
    family character varying(16) NOT NULL,
    chat_id bigint,
    mark character varying(16) NOT NULL,
    outcome character varying(16) NOT NULL,
    termination character varying(16) NOT NULL,
    plies integer NOT NULL,
    opening character varying(16),
    ended_at bigint NOT NULL,
    rated boolean DEFAULT false NOT NULL
);
CREATE TABLE public.taken (
    digest bigint NOT NULL,
    update_id bigint NOT NULL,
    at bigint NOT NULL
);
ALTER TABLE ONLY public.boards ALTER COLUMN id SET DEFAULT nextval('public.boards_id_seq'::regclass);
ALTER TABLE ONLY public.cups ALTER COLUMN id SET DEFAULT nextval('public.cups_id_seq'::regclass);
ALTER TABLE ONLY public.games ALTER COLUMN id SET DEFAULT nextval('public.games_id_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
INSERT INTO public.absences VALUES (-4000000001, 5000000004);
INSERT INTO public.alembic_version VALUES ('0040');
INSERT INTO public.blocks VALUES (5000000004, 5000000002);
INSERT INTO public.boards VALUES (1, 1, 5000000001, NULL, 103, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 4, 4, 1795757166, 4, 1795757171, 0, 1795757166, false);
INSERT INTO public.boards VALUES (2, 2, 5000000001, NULL, 105, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 6, 6, 1795757166, 6, 1795757171, 0, 1795757166, false);
INSERT INTO public.boards VALUES (12, 11, 5000000002, NULL, 130, NULL, 5000000002, 'zh-hans', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795757170, 1, 1795757175, 0, 1795757170, false);
INSERT INTO public.boards VALUES (4, 4, 5000000001, NULL, 109, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 2, 2, 1795757167, 2, 1795757172, 0, 1795757167, false);
INSERT INTO public.boards VALUES (5, 5, 5000000001, NULL, 111, NULL, 5000000001, 'en', NULL, false, false, '4@1', NULL, false, NULL, false, 2, 2, 1795757167, 1, 1795757172, 0, 1795757167, false);
INSERT INTO public.boards VALUES (6, 6, 5000000001, NULL, 113, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 2, 2, 1795757168, 2, 1795757172, 0, 1795757167, false);
INSERT INTO public.boards VALUES (3, 3, 5000000001, NULL, 107, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 3, 3, 1795757168, 3, 1795757172, 0, 1795757166, false);
INSERT INTO public.boards VALUES (7, 7, 5000000001, NULL, 117, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795757169, 1, 1795757174, 0, 1795757169, false);
INSERT INTO public.boards VALUES (10, 10, 5000000004, NULL, 127, NULL, 5000000004, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 2, 2, 1795757170, 1, 1795757174, 0, 1795757169, false);
INSERT INTO public.boards VALUES (11, 10, 5000000001, NULL, 129, NULL, 5000000001, 'en', 'sky', false, false, NULL, NULL, false, NULL, false, 1, 1, 1795757169, 1, 1795757175, 0, 1795757170, false);
INSERT INTO public.boards VALUES (13, 12, -4000000001, NULL, 132, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 9, 9, 1795757171, 9, 1795757175, 0, 1795757170, false);
INSERT INTO public.boards VALUES (14, 13, -4000000001, NULL, 134, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 6, 6, 1795757171, 6, 1795757176, 0, 1795757171, false);
INSERT INTO public.boards VALUES (15, 14, -4000000001, NULL, 136, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795757171, 1, 1795757176, 0, 1795757171, false);
INSERT INTO public.boards VALUES (17, 16, -4000000001, NULL, 142, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795757172, 1, 1795757177, 0, 1795757172, true);
INSERT INTO public.boards VALUES (16, 15, NULL, NULL, NULL, 'Ho9NWrq7jeZ4YRFM0cHxRJsZAgo', NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 3, 3, 1795757171, 1, 1795757178, 0, 1795757171, false);
INSERT INTO public.boards VALUES (9, 9, 5000000001, NULL, 125, NULL, 5000000001, 'en', 'sky', false, false, NULL, NULL, false, NULL, false, 3, 3, 1795757173, 3, 1795757178, 0, 1795757169, false);
INSERT INTO public.chats VALUES (5000000001, NULL, NULL, 'sky', false, NULL, NULL, false, '425679575:theme', NULL, NULL);
INSERT INTO public.chats VALUES (5000000004, NULL, NULL, NULL, false, NULL, NULL, false, '', NULL, NULL);
INSERT INTO public.chats VALUES (5000000002, NULL, NULL, NULL, false, NULL, NULL, false, '', NULL, NULL);
INSERT INTO public.chats VALUES (-4000000001, NULL, NULL, NULL, false, NULL, NULL, false, '', NULL, NULL);
INSERT INTO public.cup_games VALUES (1, 0, 1, 0, 1, 16, NULL);
INSERT INTO public.cup_games VALUES (1, 1, 2, 1, 2, NULL, 'x');
INSERT INTO public.cup_games VALUES (1, 2, 3, 2, 0, NULL, 'o');
INSERT INTO public.cup_players VALUES (1, 0, 5000000001, 0, false, NULL);
INSERT INTO public.cup_players VALUES (1, 1, 5000000002, 0, false, NULL);
INSERT INTO public.cup_players VALUES (1, 2, 5000000004, 0, true, NULL);
INSERT INTO public.cups VALUES (1, -4000000001, NULL, 'en', '3x3x3', 120, 'running', 3, 1795757171, NULL, 141, 425679602);
INSERT INTO public.forgotten VALUES ('1e3c64ae724e385d40c860483380801f', 1795757172);
INSERT INTO public.games VALUES (1, 5000000001, '3x3x3', 'solo', 5000000001, 0, NULL, 'easy', 'easy', NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '021634', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, 'line', 'O', NULL, NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757166, 1795757166, 1795757166, 1798349166, NULL, 425679555, '425679556 425679557 425679558', 4);
INSERT INTO public.games VALUES (13, -4000000001, '3x3x3', 'pair', 5000000001, 5000000002, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', 86400, '0123', NULL, NULL, NULL, NULL, NULL, false, 0, '0 0 0 0', NULL, false, NULL, NULL, NULL, NULL, 3, 0, 0, 0, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795757171, 1795757171, 1795757171, 1795821971, NULL, 425679590, '425679591 425679592 425679593 425679594 425679595', 6);
INSERT INTO public.games VALUES (14, -4000000001, '4x4x4', 'challenge', 5000000001, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757171, 1795757171, 1795757171, 1795843571, NULL, 425679596, '', 1);
INSERT INTO public.games VALUES (2, 5000000001, '3x3x3-misere', 'solo', 5000000001, 0, NULL, 'beginner', NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '021348576', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, 'full board', NULL, NULL, NULL, 0, 0, 0, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795757166, 1795757166, 1795757166, 1798349166, NULL, 425679559, '425679560 425679561 425679562 425679563 425679564', 6);
INSERT INTO public.games VALUES (4, 5000000001, '3x3x3', 'solo', 0, 5000000001, 'perfect', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '041', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795757167, 1795757167, 1795757167, 1798349167, NULL, 425679567, '425679568', 2);
INSERT INTO public.games VALUES (5, 5000000001, 'ultimate', 'solo', 5000000001, 0, NULL, 'easy', NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757167, 1795757167, 1795757167, 1798349167, NULL, 425679569, '', 1);
INSERT INTO public.games VALUES (6, 5000000001, 'vanishing', 'solo', 5000000001, 0, NULL, 'medium', NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '41', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795757167, 1795757167, 1795757167, 1798349167, NULL, 425679571, '425679572', 2);
INSERT INTO public.games VALUES (3, 5000000001, '5x5x4', 'solo', 5000000001, 0, NULL, 'hard', NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '4C', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757166, 1795757167, 1795757167, 1798349167, NULL, 425679565, '425679566', 3);
INSERT INTO public.games VALUES (7, 5000000001, '5x5x4', 'challenge', 5000000001, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, 'a1btRRffh5y_BFAcXd1Ijg', NULL, NULL, 'usual', 120, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, 3, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757169, 1795757169, 1795757169, 1795843569, NULL, 425679574, '', 1);
INSERT INTO public.games VALUES (10, 5000000004, '6x6x4', 'pair', 5000000001, 5000000004, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'strangers', NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, '1500?', '1500?', NULL, NULL, NULL, NULL, 1795757169, 1795757169, 1795757169, 1795757304, NULL, 425679579, '', 2);
INSERT INTO public.games VALUES (11, 5000000002, '7x7x5', 'challenge', 5000000002, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'strangers', NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757170, 1795757170, 1795757170, 1795757770, NULL, 425679580, '', 1);
INSERT INTO public.games VALUES (16, -4000000001, '3x3x3', 'pair', 5000000001, 5000000002, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'cup', 120, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795757172, 1795757172, 1795757172, 1795757397, NULL, NULL, '', 1);
INSERT INTO public.games VALUES (15, NULL, '3x3x3', 'pair', 5000000001, -264881873778413502, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, 'resignation', 'X', NULL, NULL, 0, 0, 0, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, 1795757171, 1795757173, 1795757171, 1795951571, NULL, NULL, '425679600', 4);
INSERT INTO public.games VALUES (9, 5000000001, '3x3x3', 'exhibition', 0, 0, 'medium', 'medium', NULL, NULL, NULL, 5000000001, false, NULL, NULL, NULL, NULL, 'usual', NULL, '45', NULL, NULL, NULL, NULL, NULL, false, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1795757169, 1795757173, 1795757173, 1795757177, NULL, 425679578, '', 3);
INSERT INTO public.games VALUES (12, -4000000001, '3x3x3', 'pair', 5000000001, 5000000004, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, '0123456', NULL, NULL, NULL, NULL, NULL, false, 0, '0 0 0 0 0 0 0', NULL, false, NULL, 'line', 'X', NULL, NULL, 0, 0, 0, NULL, 0, '1500', '1500', '1662?', '1338?', NULL, NULL, 1795757170, 1795757170, 1795757170, 1795951570, NULL, 425679581, '425679582 425679583 425679584 425679585 425679586 425679587 425679588 425679589', 9);
INSERT INTO public.levels VALUES (5000000001, 'classic', 'easy', -1);
INSERT INTO public.meetings VALUES (10, 5000000001, 5000000004, '6x6x4', 1795757169, 1795757169, 1795757169, false, false);
INSERT INTO public.messages VALUES (5000000001, 115, 2);
INSERT INTO public.messages VALUES (5000000001, 123, 10);
INSERT INTO public.milestones VALUES (5000000001, 'games', 3, NULL);
INSERT INTO public.milestones VALUES (5000000001, 'unbeaten', 2, NULL);
INSERT INTO public.milestones VALUES (5000000004, 'games', 1, NULL);
INSERT INTO public.milestones VALUES (5000000004, 'unbeaten', 0, NULL);
INSERT INTO public.outbox VALUES (1, 'animation', 2, NULL, 5000000001, NULL, 'en', 1795757199, 5000000001, NULL, '', false, true);
INSERT INTO public.pairs VALUES (5000000001, 5000000004, '', 20784, 1);
INSERT INTO public.pairs VALUES (5000000001, 5000000004, 'classic', 20784, 1);
INSERT INTO public.pairs VALUES (5000000004, 5000000001, '', 20784, 1);
INSERT INTO public.pairs VALUES (5000000004, 5000000001, 'classic', 20784, 1);
INSERT INTO public.people VALUES (5000000001, 'Ann', 'en', true, NULL, 'ann_plays', false, 1795737600);
INSERT INTO public.people VALUES (5000000004, 'Dee', 'en', true, NULL, NULL, false, 1795737600);
INSERT INTO public.people VALUES (5000000002, '小波', 'zh-hans', true, NULL, 'xiao_bo', false, 1795737600);
INSERT INTO public.progress VALUES ('salt', 1223525109127064946);
INSERT INTO public.progress VALUES ('set 66bf50b6bac3', 181280765957924);
INSERT INTO public.progress VALUES ('set 51d0985269c7', 181280765957924);
INSERT INTO public.progress VALUES ('set 88e84074c82b', 187256978881598);
INSERT INTO public.progress VALUES ('set ce9d46c6aeaf', 100495206956829);
INSERT INTO public.progress VALUES ('up', 1795757166);
INSERT INTO public.progress VALUES ('set 90efcfa9f39e', 100495206956829);
INSERT INTO public.progress VALUES ('set d20679ef2b69', 240492119169282);
INSERT INTO public.progress VALUES ('set a5602a414d73', 200423781553420);
INSERT INTO public.progress VALUES ('set aedfcc8c1eb3', 200423781553420);
INSERT INTO public.progress VALUES ('set a1607db52136', 102204628567009);
INSERT INTO public.progress VALUES ('set efadea15b0b5', 265770612991160);
INSERT INTO public.progress VALUES ('set ff32e8944575', 265770612991160);
INSERT INTO public.progress VALUES ('set a657a1f5a9f5', 246596979472340);
INSERT INTO public.progress VALUES ('set ea02d157e786', 175716438166649);
INSERT INTO public.progress VALUES ('set 69b2014b6a90', 175716438166649);
INSERT INTO public.progress VALUES ('set 12db4983ece5', 90945550331703);
INSERT INTO public.progress VALUES ('set 88129cc7e83a', 181712442490611);
INSERT INTO public.progress VALUES ('set 01210003ec83', 181712442490611);
INSERT INTO public.progress VALUES ('set 7e364a48e839', 248313691379914);
INSERT INTO public.progress VALUES ('set 57b356af07f2', 243331641962822);
INSERT INTO public.progress VALUES ('set 62e8d6b88d0e', 243331641962822);
INSERT INTO public.progress VALUES ('set d6cd63213622', 233187349676567);
INSERT INTO public.progress VALUES ('set f50acd053f6e', 117593566325094);
INSERT INTO public.progress VALUES ('set 243518ccb5ef', 117593566325094);
INSERT INTO public.progress VALUES ('set c52621c6694d', 123673380035455);
INSERT INTO public.progress VALUES ('set 0e74e2471b28', 133106084605125);
INSERT INTO public.progress VALUES ('set f92a694fbda1', 133106084605125);
INSERT INTO public.progress VALUES ('set b0392208b1eb', 243744768528378);
INSERT INTO public.progress VALUES ('set c106e3313d13', 46888556435312);
INSERT INTO public.progress VALUES ('set 9e9a090ebedd', 46888556435312);
INSERT INTO public.progress VALUES ('set 835ca717f61a', 128411638078658);
INSERT INTO public.pseudonyms VALUES ('1e3c64ae724e385d40c860483380801f', -264881873778413502, 1795757172);
INSERT INTO public.puzzles VALUES (5000000001, 20784, '61', true, 1, 0, 1, NULL, NULL, NULL);
INSERT INTO public.rating_days VALUES (5000000001, '', 20784, 1662.2120014703455);
INSERT INTO public.rating_days VALUES (5000000001, 'classic', 20784, 1662.2120014703455);
INSERT INTO public.rating_days VALUES (5000000004, '', 20784, 1337.7879985296545);
INSERT INTO public.rating_days VALUES (5000000004, 'classic', 20784, 1337.7879985296545);
INSERT INTO public.ratings VALUES (5000000001, '', 1662.2120014703455, 290.23050778223865, 0.029999959431315542, 20784, 1, 1, 0, 20784);
INSERT INTO public.ratings VALUES (5000000001, 'classic', 1662.2120014703455, 290.23050778223865, 0.029999959431315542, 20784, 1, 1, 0, 20784);
INSERT INTO public.ratings VALUES (5000000004, '', 1337.7879985296545, 290.23050778223865, 0.029999959431315542, 20784, 1, 1, 0, 20784);
INSERT INTO public.ratings VALUES (5000000004, 'classic', 1337.7879985296545, 290.23050778223865, 0.029999959431315542, 20784, 1, 1, 0, 20784);
INSERT INTO public.replays VALUES (2, 'animation', '6b016959ede67ee3105a80e288195751', 'CgACAgIAAxkDAAI000001');
INSERT INTO public.results VALUES (1, 5000000001, 0, 'easy', '3x3x3', 'classic', 5000000001, 'X', 'loss', 'line', 6, '0', 1795757166, false);
INSERT INTO public.results VALUES (2, 5000000001, 0, 'beginner', '3x3x3-misere', 'misere', 5000000001, 'X', 'draw', 'full board', 9, '0', 1795757166, false);
INSERT INTO public.results VALUES (12, 5000000001, 5000000004, NULL, '3x3x3', 'classic', -4000000001, 'X', 'win', 'line', 7, '0', 1795757170, true);
INSERT INTO public.results VALUES (12, 5000000004, 5000000001, NULL, '3x3x3', 'classic', -4000000001, 'O', 'loss', 'line', 7, NULL, 1795757170, true);
INSERT INTO public.taken VALUES (95013135952724072, 425679555, 1795757165);
INSERT INTO public.taken VALUES (3448775485695816460, 425679559, 1795757166);
INSERT INTO public.taken VALUES (3375675300629293842, 425679565, 1795757166);
INSERT INTO public.taken VALUES (3247582802197466504, 425679567, 1795757166);
INSERT INTO public.taken VALUES (5947320185165734915, 425679569, 1795757167);
INSERT INTO public.taken VALUES (2513299044712721640, 425679571, 1795757167);
INSERT INTO public.taken VALUES (8445921606963220312, 425679573, 1795757168);
INSERT INTO public.taken VALUES (1659438131937144148, 425679574, 1795757169);
INSERT INTO public.taken VALUES (7380667917939986880, 425679575, 1795757169);
INSERT INTO public.taken VALUES (3539336924904385155, 425679576, 1795757169);
INSERT INTO public.taken VALUES (6972397008695467651, 425679577, 1795757169);
INSERT INTO public.taken VALUES (909460468953512418, 425679578, 1795757169);
INSERT INTO public.taken VALUES (1979446413205499452, 425679579, 1795757169);
INSERT INTO public.taken VALUES (7828079617256994253, 425679580, 1795757170);
INSERT INTO public.taken VALUES (7033490639685746477, 425679581, 1795757170);
INSERT INTO public.taken VALUES (7376551229355481568, 425679590, 1795757171);
INSERT INTO public.taken VALUES (5507907016987276915, 425679596, 1795757171);
INSERT INTO public.taken VALUES (220029785709606117, 425679601, 1795757171);
INSERT INTO public.taken VALUES (1131244343669625920, 425679602, 1795757171);
INSERT INTO public.taken VALUES (3280268582520635478, 425679606, 1795757172);
INSERT INTO public.taken VALUES (8645257172888148005, 425679607, 1795757172);
SELECT pg_catalog.setval('public.boards_id_seq', 17, true);
SELECT pg_catalog.setval('public.cups_id_seq', 1, true);
SELECT pg_catalog.setval('public.games_id_seq', 16, true);
SELECT pg_catalog.setval('public.outbox_id_seq', 7, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkey PRIMARY KEY (version_num);
ALTER TABLE ONLY public.absences
    ADD CONSTRAINT pk_absences PRIMARY KEY (chat_id, person);
ALTER TABLE ONLY public.blocks
    ADD CONSTRAINT pk_blocks PRIMARY KEY (person, blocked);
ALTER TABLE ONLY public.boards
    ADD CONSTRAINT pk_boards PRIMARY KEY (id);
ALTER TABLE ONLY public.chats
    ADD CONSTRAINT pk_chats PRIMARY KEY (id);
ALTER TABLE ONLY public.cup_games
    ADD CONSTRAINT pk_cup_games PRIMARY KEY (cup, number);
ALTER TABLE ONLY public.cup_players
    ADD CONSTRAINT pk_cup_players PRIMARY KEY (cup, number);
ALTER TABLE ONLY public.cups
    ADD CONSTRAINT pk_cups PRIMARY KEY (id);
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT pk_erasures PRIMARY KEY (person);
ALTER TABLE ONLY public.forgotten
    ADD CONSTRAINT pk_forgotten PRIMARY KEY (digest);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY public.levels
    ADD CONSTRAINT pk_levels PRIMARY KEY (person, family);
ALTER TABLE ONLY public.meetings
    ADD CONSTRAINT pk_meetings PRIMARY KEY (game_id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT pk_messages PRIMARY KEY (chat_id, message_id);
ALTER TABLE ONLY public.milestones
    ADD CONSTRAINT pk_milestones PRIMARY KEY (person, name);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);
ALTER TABLE ONLY public.pairs
    ADD CONSTRAINT pk_pairs PRIMARY KEY (person, opponent, family);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT pk_people PRIMARY KEY (id);
ALTER TABLE ONLY public.progress
    ADD CONSTRAINT pk_progress PRIMARY KEY (name);
ALTER TABLE ONLY public.pseudonyms
    ADD CONSTRAINT pk_pseudonyms PRIMARY KEY (digest, alias);
ALTER TABLE ONLY public.puzzles
    ADD CONSTRAINT pk_puzzles PRIMARY KEY (person);
ALTER TABLE ONLY public.rating_days
    ADD CONSTRAINT pk_rating_days PRIMARY KEY (person, family, day);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT pk_ratings PRIMARY KEY (person, family);
ALTER TABLE ONLY public.replays
    ADD CONSTRAINT pk_replays PRIMARY KEY (game_id, form, look);
ALTER TABLE ONLY public.results
    ADD CONSTRAINT pk_results PRIMARY KEY (game_id, person);
ALTER TABLE ONLY public.taken
    ADD CONSTRAINT pk_taken PRIMARY KEY (digest);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT uq_games_update_id UNIQUE (update_id);
CREATE INDEX ix_absences_person ON public.absences USING btree (person);
CREATE INDEX ix_blocks_blocked ON public.blocks USING btree (blocked);
CREATE INDEX ix_boards_game_id ON public.boards USING btree (game_id);
CREATE INDEX ix_boards_lagging ON public.boards USING btree (look_at, chat_id) WHERE (shown < wanted);
CREATE INDEX ix_boards_message ON public.boards USING btree (chat_id, message_id);
CREATE INDEX ix_boards_reviewer ON public.boards USING btree (reviewer) WHERE (reviewer IS NOT NULL);
CREATE INDEX ix_chats_language ON public.chats USING btree (id) WHERE (language IS NOT NULL);
CREATE INDEX ix_chats_left_at ON public.chats USING btree (left_at) WHERE (left_at IS NOT NULL);
CREATE INDEX ix_cup_games_running ON public.cup_games USING btree (game_id) WHERE ((game_id IS NOT NULL) AND (result IS NULL));
CREATE INDEX ix_cup_players_person ON public.cup_players USING btree (person);
CREATE INDEX ix_cups_chat_id ON public.cups USING btree (chat_id);
CREATE INDEX ix_cups_due_at ON public.cups USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ix_games_chat_id ON public.games USING btree (chat_id, id);
CREATE INDEX ix_games_due ON public.games USING btree (due_at) WHERE (termination IS NULL);
CREATE INDEX ix_games_ended_by ON public.games USING btree (ended_by) WHERE (ended_by IS NOT NULL);
CREATE INDEX ix_games_finished_o ON public.games USING btree (o_seat, id) WHERE (termination IS NOT NULL);
CREATE INDEX ix_games_finished_x ON public.games USING btree (x_seat, id) WHERE (termination IS NOT NULL);
CREATE INDEX ix_games_host ON public.games USING btree (host) WHERE (host IS NOT NULL);
CREATE INDEX ix_games_next_game ON public.games USING btree (next_game) WHERE (next_game IS NOT NULL);
CREATE INDEX ix_games_player_o ON public.games USING btree (o_seat, id) WHERE (o_seat > 0);
CREATE INDEX ix_games_player_x ON public.games USING btree (x_seat, id) WHERE (x_seat > 0);
CREATE INDEX ix_games_rival_id ON public.games USING btree (rival_id) WHERE (rival_id IS NOT NULL);
CREATE INDEX ix_games_rival_username ON public.games USING btree (rival_username) WHERE (rival_username IS NOT NULL);
CREATE INDEX ix_games_running_o ON public.games USING btree (o_seat, id) WHERE (termination IS NULL);
CREATE INDEX ix_games_running_x ON public.games USING btree (x_seat, id) WHERE (termination IS NULL);
CREATE INDEX ix_games_waits_created_at ON public.games USING btree (created_at) WHERE (((kind)::text = 'challenge'::text) AND ((time_limits)::text = 'strangers'::text) AND (termination IS NULL));
CREATE INDEX ix_meetings_met_at ON public.meetings USING btree (met_at);
CREATE INDEX ix_meetings_opponent ON public.meetings USING btree (opponent);
CREATE INDEX ix_meetings_person ON public.meetings USING btree (person);
CREATE INDEX ix_meetings_rules ON public.meetings USING btree (rules, met_at);
CREATE INDEX ix_messages_game_id ON public.messages USING btree (game_id);
CREATE INDEX ix_outbox_chat_id ON public.outbox USING btree (chat_id);
CREATE INDEX ix_outbox_game_id ON public.outbox USING btree (game_id);
CREATE INDEX ix_outbox_look_at ON public.outbox USING btree (look_at);
CREATE INDEX ix_outbox_person ON public.outbox USING btree (person) WHERE (person IS NOT NULL);
CREATE INDEX ix_outbox_subject ON public.outbox USING btree (subject) WHERE (subject IS NOT NULL);
CREATE INDEX ix_people_hidden ON public.people USING btree (id) WHERE (hidden IS TRUE);
CREATE INDEX ix_people_seen_at ON public.people USING btree (seen_at);
CREATE INDEX ix_puzzles_chat_id ON public.puzzles USING btree (chat_id) WHERE (chat_id IS NOT NULL);
CREATE INDEX ix_puzzles_remind_at ON public.puzzles USING btree (remind_at) WHERE (remind_at IS NOT NULL);
CREATE INDEX ix_ratings_everybody ON public.ratings USING btree (family, settled, rating, person) WHERE ((opponents >= 5) AND (person > 0));
CREATE INDEX ix_ratings_settled ON public.ratings USING btree (settled_until) WHERE (settled = 1);
CREATE INDEX ix_results_chat_id ON public.results USING btree (chat_id, person);
CREATE INDEX ix_results_person ON public.results USING btree (person, ended_at, game_id);
CREATE INDEX ix_results_won ON public.results USING btree (outcome, ended_at, family, chat_id, person) WHERE (rated IS TRUE);
CREATE INDEX ix_taken_at ON public.taken USING btree (at);
CREATE UNIQUE INDEX uq_boards_inline_message_id ON public.boards USING btree (inline_message_id);
CREATE UNIQUE INDEX uq_cups_going_on ON public.cups USING btree (chat_id) WHERE ((stage)::text <> 'over'::text);
CREATE UNIQUE INDEX uq_games_inline_offer ON public.games USING btree (inline_person, inline_offer);
CREATE UNIQUE INDEX uq_games_link ON public.games USING btree (link);
CREATE UNIQUE INDEX uq_games_waits_x_seat ON public.games USING btree (x_seat) WHERE (((kind)::text = 'challenge'::text) AND ((time_limits)::text = 'strangers'::text) AND (termination IS NULL));
CREATE UNIQUE INDEX uq_outbox_picture ON public.outbox USING btree (kind, chat_id, game_id) WHERE ((kind)::text = ANY ((ARRAY['animation'::character varying, 'still'::character varying, 'rivals'::character varying, 'rivals card'::character varying])::text[]));
CREATE UNIQUE INDEX uq_outbox_subject ON public.outbox USING btree (kind, chat_id, subject, family, here) WHERE (subject IS NOT NULL);
CREATE UNIQUE INDEX uq_people_username ON public.people USING btree (username);
ALTER TABLE ONLY public.boards
    ADD CONSTRAINT fk_boards_game_id_games FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT fk_games_chat_id_chats FOREIGN KEY (chat_id) REFERENCES public.chats(id) ON UPDATE CASCADE;
ALTER TABLE ONLY public.games
    ADD CONSTRAINT fk_games_next_game_games FOREIGN KEY (next_game) REFERENCES public.games(id);
ALTER TABLE ONLY public.messages
    ADD CONSTRAINT fk_messages_game_id_games FOREIGN KEY (game_id) REFERENCES public.games(id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT fk_outbox_game_id_games FOREIGN KEY (game_id) REFERENCES public.games(id);
