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
    reply_to bigint,
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
    left_at bigint,
    season_at bigint,
    timezone character varying(48)
);
CREATE TABLE public.cup_games (
    cup bigint NOT NULL,
    number integer NOT NULL,
    round integer NOT NULL,
    x integer NOT NULL,
    o integer,
    game_id bigint,
    result character varying(16),
    plies integer
);
CREATE TABLE public.cup_plans (
    chat_id bigint NOT NULL,
    at bigint NOT NULL,
    is_weekly boolean NOT NULL,
    thread_id bigint,
    language character varying(16),
    rules character varying(16) NOT NULL,
    clock integer NOT NULL
);
CREATE TABLE public.cup_players (
    cup bigint NOT NULL,
    number integer NOT NULL,
    person bigint NOT NULL,
    missed integer DEFAULT 0 NOT NULL,
    is_out boolean DEFAULT false NOT NULL,
    place integer,
    away_at bigint
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
    reply_to bigint,
    drawn_at bigint DEFAULT 0 NOT NULL,
    starts_at bigint,
    is_planned boolean DEFAULT false NOT NULL
);
CREATE SEQUENCE public.cups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.cups_id_seq OWNED BY public.cups.id;
CREATE TABLE public.done (
    key bigint NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.erasures (
    person bigint NOT NULL,
    stage character varying(16) NOT NULL,
    at bigint NOT NULL,
    cursor bigint NOT NULL
);
CREATE TABLE public.forgotten (
    digest character varying(32) NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.former_pairs (
    digest bigint NOT NULL,
    day integer NOT NULL,
    games integer NOT NULL
);
CREATE TABLE public.games (
    id bigint NOT NULL,
    chat_id bigint,
    rules character varying(16) NOT NULL,
    kind character varying(16) NOT NULL,
    x_seat bigint,
    x_level character varying(16),
    x_wins integer DEFAULT 0 NOT NULL,
    x_rating character varying(8),
    x_rated character varying(8),
    x_reached character varying(32),
    o_seat bigint,
    o_level character varying(16),
    o_wins integer DEFAULT 0 NOT NULL,
    o_rating character varying(8),
    o_rated character varying(8),
    o_reached character varying(32),
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
    round integer,
    moves character varying(81) DEFAULT ''::character varying NOT NULL,
    beats bigint,
    offer character varying(16),
    offered_by character varying(16),
    declined character varying(16),
    declined_by character varying(16),
    hushed boolean DEFAULT false NOT NULL,
    takebacks integer DEFAULT 0 NOT NULL,
    hints integer DEFAULT 0 NOT NULL,
    spent character varying(600) DEFAULT ''::character varying NOT NULL,
    "left" character varying(16),
    removed boolean DEFAULT false NOT NULL,
    due_then bigint,
    termination character varying(16),
    winner character varying(16),
    ended_by bigint,
    best_of integer,
    draws integer DEFAULT 0 NOT NULL,
    next_game bigint,
    created_at bigint DEFAULT 0 NOT NULL,
    changed_at bigint DEFAULT 0 NOT NULL,
    moved_at bigint DEFAULT 0 NOT NULL,
    due_at bigint,
    reminded integer,
    nudged_at bigint,
    version integer DEFAULT 1 NOT NULL
);
CREATE SEQUENCE public.games_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.games_id_seq OWNED BY public.games.id;
CREATE TABLE public.group_puzzles (
    chat_id bigint NOT NULL,
    day integer NOT NULL,
    thread_id bigint,
    reply_to bigint,
    language character varying(16),
    message_id bigint,
    solved integer DEFAULT 0 NOT NULL,
    streak integer DEFAULT 0 NOT NULL
);
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
    said boolean DEFAULT false NOT NULL,
    reply_to bigint,
    cup bigint
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
    ended_at bigint NOT NULL,
    rated boolean DEFAULT false NOT NULL
);
ALTER TABLE ONLY public.boards ALTER COLUMN id SET DEFAULT nextval('public.boards_id_seq'::regclass);
ALTER TABLE ONLY public.cups ALTER COLUMN id SET DEFAULT nextval('public.cups_id_seq'::regclass);
ALTER TABLE ONLY public.games ALTER COLUMN id SET DEFAULT nextval('public.games_id_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
INSERT INTO public.absences VALUES (-4000000001, 5000000004);
INSERT INTO public.alembic_version VALUES ('0057');
INSERT INTO public.blocks VALUES (5000000004, 5000000002);
INSERT INTO public.boards VALUES (1, 1, 5000000001, NULL, NULL, 103, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 4, 4, 1795893029, 4, 1795893034, 0, 1795893028, false);
INSERT INTO public.boards VALUES (2, 2, 5000000001, NULL, NULL, 105, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 5, 5, 1795893029, 5, 1795893034, 0, 1795893029, false);
INSERT INTO public.boards VALUES (4, 4, 5000000001, NULL, NULL, 109, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 2, 2, 1795893030, 2, 1795893034, 0, 1795893029, false);
INSERT INTO public.boards VALUES (3, 3, 5000000001, NULL, NULL, 107, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 3, 3, 1795893030, 3, 1795893034, 0, 1795893029, false);
INSERT INTO public.boards VALUES (5, 5, 5000000001, NULL, NULL, 111, NULL, 5000000001, 'en', NULL, false, false, '4@1', NULL, false, NULL, false, 2, 2, 1795893029, 1, 1795893034, 0, 1795893029, false);
INSERT INTO public.boards VALUES (6, 6, 5000000001, NULL, NULL, 113, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 2, 2, 1795893030, 2, 1795893035, 0, 1795893030, false);
INSERT INTO public.boards VALUES (7, 7, 5000000001, NULL, NULL, 117, NULL, 5000000001, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795893031, 1, 1795893036, 0, 1795893031, false);
INSERT INTO public.boards VALUES (10, 10, 5000000004, NULL, NULL, 127, NULL, 5000000004, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 2, 2, 1795893032, 1, 1795893037, 0, 1795893032, false);
INSERT INTO public.boards VALUES (11, 10, 5000000001, NULL, NULL, 129, NULL, 5000000001, 'en', 'sky', false, false, NULL, NULL, false, NULL, false, 1, 1, 1795893032, 1, 1795893037, 0, 1795893032, false);
INSERT INTO public.boards VALUES (12, 11, 5000000002, NULL, NULL, 130, NULL, 5000000002, 'zh-hans', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795893032, 1, 1795893037, 0, 1795893032, false);
INSERT INTO public.boards VALUES (13, 12, -4000000001, NULL, NULL, 132, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 9, 9, 1795893032, 9, 1795893037, 0, 1795893032, false);
INSERT INTO public.boards VALUES (14, 13, -4000000001, NULL, NULL, 134, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 6, 6, 1795893032, 6, 1795893037, 0, 1795893032, false);
INSERT INTO public.boards VALUES (15, 14, -4000000001, NULL, NULL, 136, NULL, NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 1, 1, 1795893032, 1, 1795893037, 0, 1795893032, false);
INSERT INTO public.boards VALUES (16, 15, NULL, NULL, NULL, NULL, '7lwiYy45P58RbpKABZ-WizzrUKg', NULL, 'en', NULL, false, false, NULL, NULL, false, NULL, false, 3, 3, 1795893033, 2, 1795893039, 0, 1795893032, false);
INSERT INTO public.boards VALUES (9, 9, 5000000001, NULL, NULL, 125, NULL, 5000000001, 'en', 'sky', false, false, NULL, NULL, false, NULL, false, 3, 3, 1795893036, 3, 1795893041, 0, 1795893032, false);
INSERT INTO public.chats VALUES (5000000001, NULL, NULL, 'sky', false, NULL, NULL, false, NULL, NULL, NULL);
INSERT INTO public.chats VALUES (5000000004, NULL, NULL, NULL, false, NULL, NULL, false, NULL, NULL, NULL);
INSERT INTO public.chats VALUES (5000000002, NULL, NULL, NULL, false, NULL, NULL, false, NULL, NULL, NULL);
INSERT INTO public.chats VALUES (-4000000001, NULL, NULL, NULL, false, NULL, NULL, false, NULL, NULL, 'Europe/Berlin');
INSERT INTO public.cup_games VALUES (1, 0, 1, 2, 0, NULL, 'x', 0);
INSERT INTO public.cup_games VALUES (1, 1, 2, 0, 1, NULL, NULL, NULL);
INSERT INTO public.cup_games VALUES (1, 2, 3, 1, 2, NULL, NULL, NULL);
INSERT INTO public.cup_plans VALUES (-4000000001, 1796410800, true, NULL, 'en', '3x3x3', 120);
INSERT INTO public.cup_players VALUES (1, 0, 5000000001, 0, false, NULL, NULL);
INSERT INTO public.cup_players VALUES (1, 1, 5000000002, 0, false, NULL, NULL);
INSERT INTO public.cup_players VALUES (1, 2, 5000000004, 0, false, NULL, 1795893034);
INSERT INTO public.cups VALUES (1, -4000000001, NULL, 'en', '3x3x3', 120, 'running', 3, 1795893033, 1795893040, 148, NULL, 1795893035, NULL, false);
INSERT INTO public.done VALUES (1910656372444376732, 1795893028);
INSERT INTO public.done VALUES (7136805911873687788, 1795893029);
INSERT INTO public.done VALUES (1547829267862391319, 1795893029);
INSERT INTO public.done VALUES (5050092296447305094, 1795893029);
INSERT INTO public.done VALUES (5122577189848988840, 1795893029);
INSERT INTO public.done VALUES (746923894212970653, 1795893029);
INSERT INTO public.done VALUES (6467120230421983944, 1795893030);
INSERT INTO public.done VALUES (5213941287443906338, 1795893031);
INSERT INTO public.done VALUES (2939150701626555971, 1795893031);
INSERT INTO public.done VALUES (462981028133678902, 1795893032);
INSERT INTO public.done VALUES (2969176946607082665, 1795893032);
INSERT INTO public.done VALUES (8533451814097345640, 1795893032);
INSERT INTO public.done VALUES (3242408218141559000, 1795893032);
INSERT INTO public.done VALUES (1707235752513850435, 1795893032);
INSERT INTO public.done VALUES (6215822159026583715, 1795893032);
INSERT INTO public.done VALUES (1724690782473512531, 1795893032);
INSERT INTO public.done VALUES (6104131080499725685, 1795893032);
INSERT INTO public.done VALUES (2392143715993278798, 1795893032);
INSERT INTO public.done VALUES (5811396937135223756, 1795893032);
INSERT INTO public.done VALUES (6918016986136259796, 1795893033);
INSERT INTO public.done VALUES (1950880706885083920, 1795893033);
INSERT INTO public.done VALUES (1162079172775831773, 1795893033);
INSERT INTO public.done VALUES (5604553061441704277, 1795893033);
INSERT INTO public.done VALUES (2808091030991659464, 1795893033);
INSERT INTO public.done VALUES (5719998432330141913, 1795893033);
INSERT INTO public.done VALUES (5622568209048120135, 1795893033);
INSERT INTO public.done VALUES (93309115246049999, 1795893033);
INSERT INTO public.done VALUES (6997089922554869184, 1795893033);
INSERT INTO public.done VALUES (5640284376486282753, 1795893033);
INSERT INTO public.done VALUES (430970777555683936, 1795893033);
INSERT INTO public.forgotten VALUES ('c86edfba5a7ab226af815e93a1c6cbcb', 1795893033);
INSERT INTO public.games VALUES (1, 5000000001, '3x3x3', 'solo', 5000000001, NULL, 0, NULL, NULL, 'easy', 0, 'easy', 0, NULL, NULL, NULL, 'easy', NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '05132', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, 'line', 'X', NULL, NULL, 0, NULL, 1795893028, 1795893029, 1795893029, 1798485028, NULL, NULL, 4);
INSERT INTO public.games VALUES (15, NULL, '3x3x3', 'pair', 5000000001, NULL, 0, NULL, NULL, NULL, -9007199254741039, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, 'resignation', 'X', NULL, NULL, 0, NULL, 1795893032, 1795893034, 1795893033, 1796087433, NULL, NULL, 4);
INSERT INTO public.games VALUES (2, 5000000001, '3x3x3-misere', 'solo', 5000000001, NULL, 0, NULL, NULL, 'beginner', 0, 'beginner', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '08123745', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, 'line', 'X', NULL, NULL, 0, NULL, 1795893029, 1795893029, 1795893029, 1798485029, NULL, NULL, 5);
INSERT INTO public.games VALUES (4, 5000000001, '3x3x3', 'solo', 0, 'perfect', 0, NULL, NULL, NULL, 5000000001, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '041', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893029, 1795893029, 1795893029, 1798485029, NULL, NULL, 2);
INSERT INTO public.games VALUES (3, 5000000001, '5x5x4', 'solo', 5000000001, NULL, 0, NULL, NULL, NULL, 0, 'hard', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '4C', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893029, 1795893029, 1795893029, 1798485029, NULL, NULL, 3);
INSERT INTO public.games VALUES (5, 5000000001, 'ultimate', 'solo', 5000000001, NULL, 0, NULL, NULL, NULL, 0, 'easy', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893029, 1795893029, 1795893029, 1798485029, NULL, NULL, 1);
INSERT INTO public.games VALUES (6, 5000000001, 'vanishing', 'solo', 5000000001, NULL, 0, NULL, NULL, NULL, 0, 'medium', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '41', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893030, 1795893030, 1795893030, 1798485030, NULL, NULL, 2);
INSERT INTO public.games VALUES (7, 5000000001, '5x5x4', 'challenge', 5000000001, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, 'bMzrRP8kYVylOz7LkG0AjA', NULL, NULL, 'usual', 120, NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, 3, 0, NULL, 1795893031, 1795893031, 1795893031, 1795979431, NULL, NULL, 1);
INSERT INTO public.games VALUES (10, 5000000004, '6x6x4', 'pair', 5000000001, NULL, 0, '1500?', NULL, NULL, 5000000004, NULL, 0, '1500?', NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'strangers', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893032, 1795893032, 1795893032, 1795893167, NULL, NULL, 2);
INSERT INTO public.games VALUES (11, 5000000002, '7x7x5', 'challenge', 5000000002, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'strangers', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893032, 1795893032, 1795893032, 1795893632, NULL, NULL, 1);
INSERT INTO public.games VALUES (9, 5000000001, '3x3x3', 'exhibition', 0, 'medium', 0, NULL, NULL, NULL, 0, 'medium', 0, NULL, NULL, NULL, NULL, NULL, NULL, 5000000001, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '87', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893032, 1795893036, 1795893036, 1795893040, NULL, NULL, 3);
INSERT INTO public.games VALUES (12, -4000000001, '3x3x3', 'pair', 5000000001, NULL, 0, '1500', '1662?', NULL, 5000000004, NULL, 0, '1500', '1338?', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '0123456', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '0 0 0 0 0 0 0', NULL, false, NULL, 'line', 'X', NULL, NULL, 0, NULL, 1795893032, 1795893032, 1795893032, 1796087432, NULL, NULL, 9);
INSERT INTO public.games VALUES (13, -4000000001, '3x3x3', 'pair', 5000000001, NULL, 0, NULL, NULL, NULL, 5000000002, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', 86400, NULL, '0123', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '0 0 0 0', NULL, false, NULL, NULL, NULL, NULL, 3, 0, NULL, 1795893032, 1795893032, 1795893032, 1795957832, NULL, NULL, 6);
INSERT INTO public.games VALUES (14, -4000000001, '4x4x4', 'challenge', 5000000001, NULL, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, 'usual', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, false, 0, 0, '', NULL, false, NULL, NULL, NULL, NULL, NULL, 0, NULL, 1795893032, 1795893032, 1795893032, 1795979432, NULL, NULL, 1);
INSERT INTO public.group_puzzles VALUES (-4000000001, 20785, NULL, NULL, 'en', 143, 0, 0);
INSERT INTO public.levels VALUES (5000000001, 'classic', 'easy', 1);
INSERT INTO public.meetings VALUES (10, 5000000001, 5000000004, '6x6x4', 1795893032, 1795893032, 1795893032, false, false);
INSERT INTO public.messages VALUES (5000000001, 115, 2);
INSERT INTO public.messages VALUES (5000000001, 123, 10);
INSERT INTO public.milestones VALUES (5000000001, 'easy', 1, 1795893029);
INSERT INTO public.milestones VALUES (5000000001, 'beginner', 1, 1795893029);
INSERT INTO public.milestones VALUES (5000000001, 'games', 3, NULL);
INSERT INTO public.milestones VALUES (5000000001, 'unbeaten', 3, NULL);
INSERT INTO public.milestones VALUES (5000000004, 'games', 1, NULL);
INSERT INTO public.milestones VALUES (5000000004, 'unbeaten', 0, NULL);
INSERT INTO public.outbox VALUES (1, 'animation', 2, NULL, 5000000001, NULL, 'en', 1795893061, 5000000001, NULL, '', false, true, NULL, NULL);
INSERT INTO public.pairs VALUES (5000000001, 5000000004, '', 20785, 1);
INSERT INTO public.pairs VALUES (5000000001, 5000000004, 'classic', 20785, 1);
INSERT INTO public.pairs VALUES (5000000004, 5000000001, '', 20785, 1);
INSERT INTO public.pairs VALUES (5000000004, 5000000001, 'classic', 20785, 1);
INSERT INTO public.people VALUES (5000000001, 'Ann', 'en', true, NULL, 'ann_plays', false, 1795824000);
INSERT INTO public.people VALUES (5000000004, 'Dee', 'en', true, NULL, NULL, false, 1795824000);
INSERT INTO public.people VALUES (5000000002, '小波', 'zh-hans', true, NULL, 'xiao_bo', false, 1795824000);
INSERT INTO public.progress VALUES ('salt', 1133063537748385130);
INSERT INTO public.progress VALUES ('set 66bf50b6bac3', 181280765957924);
INSERT INTO public.progress VALUES ('set 51d0985269c7', 181280765957924);
INSERT INTO public.progress VALUES ('set 88e84074c82b', 187256978881598);
INSERT INTO public.progress VALUES ('set df733e901115', 127248608717839);
INSERT INTO public.progress VALUES ('set b2fef6ad8270', 127248608717839);
INSERT INTO public.progress VALUES ('set 395a666801cb', 60550820637725);
INSERT INTO public.progress VALUES ('set ce9d46c6aeaf', 100495206956829);
INSERT INTO public.progress VALUES ('set 90efcfa9f39e', 100495206956829);
INSERT INTO public.progress VALUES ('set d20679ef2b69', 240492119169282);
INSERT INTO public.progress VALUES ('set a5602a414d73', 200423781553420);
INSERT INTO public.progress VALUES ('set aedfcc8c1eb3', 200423781553420);
INSERT INTO public.progress VALUES ('set a1607db52136', 102204628567009);
INSERT INTO public.progress VALUES ('set ea011abfdd72', 119485248923803);
INSERT INTO public.progress VALUES ('set 9e56a64d54b4', 119485248923803);
INSERT INTO public.progress VALUES ('set 7ddb5cfd0090', 157062158196686);
INSERT INTO public.progress VALUES ('set efadea15b0b5', 265770612991160);
INSERT INTO public.progress VALUES ('set ff32e8944575', 265770612991160);
INSERT INTO public.progress VALUES ('set a657a1f5a9f5', 205122329886980);
INSERT INTO public.progress VALUES ('set ea02d157e786', 175716438166649);
INSERT INTO public.progress VALUES ('set 69b2014b6a90', 175716438166649);
INSERT INTO public.progress VALUES ('set 12db4983ece5', 117794981532455);
INSERT INTO public.progress VALUES ('set 4bd1fdafdda8', 244421323953748);
INSERT INTO public.progress VALUES ('set 1699657be007', 244421323953748);
INSERT INTO public.progress VALUES ('set b3acb13f375c', 2006566996695);
INSERT INTO public.progress VALUES ('set 88129cc7e83a', 124009382184179);
INSERT INTO public.progress VALUES ('set 01210003ec83', 124009382184179);
INSERT INTO public.progress VALUES ('set 7e364a48e839', 213748531356441);
INSERT INTO public.progress VALUES ('set 57b356af07f2', 243331641962822);
INSERT INTO public.progress VALUES ('set 62e8d6b88d0e', 243331641962822);
INSERT INTO public.progress VALUES ('set d6cd63213622', 233187349676567);
INSERT INTO public.progress VALUES ('set f50acd053f6e', 117593566325094);
INSERT INTO public.progress VALUES ('set 243518ccb5ef', 117593566325094);
INSERT INTO public.progress VALUES ('set c52621c6694d', 123673380035455);
INSERT INTO public.progress VALUES ('set 7a7d2af4e23b', 230196749619640);
INSERT INTO public.progress VALUES ('set 1737193907b4', 230196749619640);
INSERT INTO public.progress VALUES ('set 9602f4c4bbcc', 57990186513819);
INSERT INTO public.progress VALUES ('set 726e3939d55f', 82843762666681);
INSERT INTO public.progress VALUES ('set 8bebd6e384bc', 82843762666681);
INSERT INTO public.progress VALUES ('set 1d1fe8036dbe', 253129050452595);
INSERT INTO public.progress VALUES ('set 49c5b05e15c2', 132642873067937);
INSERT INTO public.progress VALUES ('set 270d6c721df5', 132642873067937);
INSERT INTO public.progress VALUES ('set 7cbaee759011', 198584531363484);
INSERT INTO public.progress VALUES ('set 0e74e2471b28', 133106084605125);
INSERT INTO public.progress VALUES ('set f92a694fbda1', 133106084605125);
INSERT INTO public.progress VALUES ('set b0392208b1eb', 243744768528378);
INSERT INTO public.progress VALUES ('set c106e3313d13', 46888556435312);
INSERT INTO public.progress VALUES ('set 9e9a090ebedd', 46888556435312);
INSERT INTO public.progress VALUES ('set 835ca717f61a', 156126351244729);
INSERT INTO public.progress VALUES ('up', 1795893035);
INSERT INTO public.puzzles VALUES (5000000001, 20785, '6', true, 1, 0, 1, NULL, NULL, -4000000001);
INSERT INTO public.rating_days VALUES (5000000001, '', 20785, 1662.2120014703455);
INSERT INTO public.rating_days VALUES (5000000001, 'classic', 20785, 1662.2120014703455);
INSERT INTO public.rating_days VALUES (5000000004, '', 20785, 1337.7879985296545);
INSERT INTO public.rating_days VALUES (5000000004, 'classic', 20785, 1337.7879985296545);
INSERT INTO public.ratings VALUES (5000000001, '', 1662.2120014703455, 290.23050778223865, 0.029999959431315542, 20785, 1, 1, 0, 20785);
INSERT INTO public.ratings VALUES (5000000001, 'classic', 1662.2120014703455, 290.23050778223865, 0.029999959431315542, 20785, 1, 1, 0, 20785);
INSERT INTO public.ratings VALUES (5000000004, '', 1337.7879985296545, 290.23050778223865, 0.029999959431315542, 20785, 1, 1, 0, 20785);
INSERT INTO public.ratings VALUES (5000000004, 'classic', 1337.7879985296545, 290.23050778223865, 0.029999959431315542, 20785, 1, 1, 0, 20785);
INSERT INTO public.replays VALUES (2, 'animation', '065aac2a42f69332f6428623595752a2', 'CgACAgIAAxkDAAI000001');
INSERT INTO public.results VALUES (1, 5000000001, 0, 'easy', '3x3x3', 'classic', 5000000001, 'X', 'win', 'line', 5, 1795893029, false);
INSERT INTO public.results VALUES (2, 5000000001, 0, 'beginner', '3x3x3-misere', 'misere', 5000000001, 'X', 'win', 'line', 8, 1795893029, false);
INSERT INTO public.results VALUES (12, 5000000001, 5000000004, NULL, '3x3x3', 'classic', -4000000001, 'X', 'win', 'line', 7, 1795893032, true);
INSERT INTO public.results VALUES (12, 5000000004, 5000000001, NULL, '3x3x3', 'classic', -4000000001, 'O', 'loss', 'line', 7, 1795893032, true);
SELECT pg_catalog.setval('public.boards_id_seq', 16, true);
SELECT pg_catalog.setval('public.cups_id_seq', 1, true);
SELECT pg_catalog.setval('public.games_id_seq', 15, true);
SELECT pg_catalog.setval('public.outbox_id_seq', 9, true);
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
ALTER TABLE ONLY public.cup_plans
    ADD CONSTRAINT pk_cup_plans PRIMARY KEY (chat_id);
ALTER TABLE ONLY public.cup_players
    ADD CONSTRAINT pk_cup_players PRIMARY KEY (cup, number);
ALTER TABLE ONLY public.cups
    ADD CONSTRAINT pk_cups PRIMARY KEY (id);
ALTER TABLE ONLY public.done
    ADD CONSTRAINT pk_done PRIMARY KEY (key);
ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT pk_erasures PRIMARY KEY (person);
ALTER TABLE ONLY public.forgotten
    ADD CONSTRAINT pk_forgotten PRIMARY KEY (digest);
ALTER TABLE ONLY public.former_pairs
    ADD CONSTRAINT pk_former_pairs PRIMARY KEY (digest);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY public.group_puzzles
    ADD CONSTRAINT pk_group_puzzles PRIMARY KEY (chat_id);
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
CREATE INDEX ix_absences_person ON public.absences USING btree (person);
CREATE INDEX ix_blocks_blocked ON public.blocks USING btree (blocked);
CREATE INDEX ix_boards_game_id ON public.boards USING btree (game_id);
CREATE INDEX ix_boards_lagging ON public.boards USING btree (look_at, chat_id) WHERE (shown < wanted);
CREATE INDEX ix_boards_message ON public.boards USING btree (chat_id, message_id);
CREATE INDEX ix_boards_reviewer ON public.boards USING btree (reviewer) WHERE (reviewer IS NOT NULL);
CREATE INDEX ix_chats_language ON public.chats USING btree (id) WHERE (language IS NOT NULL);
CREATE INDEX ix_chats_left_at ON public.chats USING btree (left_at) WHERE (left_at IS NOT NULL);
CREATE INDEX ix_cup_games_running ON public.cup_games USING btree (game_id) WHERE ((game_id IS NOT NULL) AND (result IS NULL));
CREATE INDEX ix_cup_plans_at ON public.cup_plans USING btree (at);
CREATE INDEX ix_cup_players_person ON public.cup_players USING btree (person);
CREATE INDEX ix_cups_chat_id ON public.cups USING btree (chat_id);
CREATE INDEX ix_cups_due_at ON public.cups USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX ix_done_at ON public.done USING btree (at);
CREATE INDEX ix_games_beats ON public.games USING btree (beats) WHERE (beats IS NOT NULL);
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
CREATE INDEX ix_puzzles_day ON public.puzzles USING btree (day, wrong);
CREATE INDEX ix_puzzles_remind_at ON public.puzzles USING btree (remind_at) WHERE (remind_at IS NOT NULL);
CREATE INDEX ix_ratings_everybody ON public.ratings USING btree (family, settled, rating, person) WHERE ((opponents >= 5) AND (person > 0));
CREATE INDEX ix_ratings_settled ON public.ratings USING btree (settled_until) WHERE (settled = 1);
CREATE INDEX ix_results_chat_id ON public.results USING btree (chat_id, person);
CREATE INDEX ix_results_person ON public.results USING btree (person, ended_at, game_id);
CREATE INDEX ix_results_won ON public.results USING btree (outcome, ended_at, family, chat_id, person) WHERE (rated IS TRUE);
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
