-- What the release with schema 0002 had stored in the middle of games: written by it, and copied here.
INSERT INTO chats (id, level, first, taken)
VALUES (4503599627370495, 'hard', 'random', '555001');
INSERT INTO chats (id)
VALUES (7000000007);
INSERT INTO chats (id)
VALUES (81);
INSERT INTO chats (id)
VALUES (-1002147483648);
INSERT INTO chats (id, level)
VALUES (-4100200300, 'easy');
INSERT INTO people (id, name, language)
VALUES (4503599627370495, 'Ann 🦆', 'en');
INSERT INTO people (id, name, language)
VALUES (7000000007, 'Bob''s <b>', 'zh-hans');
INSERT INTO people (id, name, language, takebacks)
VALUES (81, 'Cem', 'de', FALSE);
INSERT INTO games (chat_id, thread_id, message_id, geometry, moves, o_seat, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, rival_name, moved_at, due_at)
VALUES (-1002147483648, 3, 901, '3x3x3', '', 4503599627370495, 'Ann 🦆', 'en', 555002, 1, 1, 1760000000, 1760000000, 1760000010, '@bob', 1760000000, 1760086400);
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, level, language, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at, taken)
VALUES (4503599627370495, 902, '3x3x3', '014', 0, 4503599627370495, '', 'Ann 🦆', 'hard', 'en', 555003, 2, 2, 1760000000, 1760000000, 1760000010, 1760000060, 1762592000, '555004');
INSERT INTO games (chat_id, thread_id, geometry, moves, x_seat, o_seat, x_name, o_name, level, language, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at)
VALUES (-1002147483648, 4, '3x3x3', '', 7000000007, 0, 'Bob''s <b>', '', 'easy', 'zh-hans', 555005, 1, 0, 1760000000, 1760000000, 1760000010, 1760000000, 1762592000);
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, level, language, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at, taken)
VALUES (81, 904, '3x3x3', '46', 81, 0, 'Cem', '', 'perfect', 'de', 555006, 2, 1, 1760000000, 1760000000, 1760000010, 1760000060, 1762592000, '555007');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, guest_chat_id, guest_message_id, guest_language, token, moved_at, due_at, reminded, taken)
VALUES (4503599627370495, 1905, '3x3x3', '40', 4503599627370495, 7000000007, 'Ann 🦆', 'Bob''s <b>', 'en', 555008, 5, 5, 1760000000, 1760000000, 1760000010, 7000000007, 2905, 'zh-hans', 'aTokenOfALinkThatWasTaken', 1760000200, 1760259400, 2, '555009 555010');
INSERT INTO games (chat_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, guest_chat_id, guest_language, token, moved_at, due_at)
VALUES (81, '3x3x3', '', 81, 4503599627370495, 'Cem', 'Ann 🦆', 'de', 555011, 2, 0, 1760000000, 1760000000, 1760000010, 4503599627370495, 'en', 'aTokenJustNowTaken', 1760000030, 1760194430);
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, x_name, language, update_id, version, shown, created_at, changed_at, sweep_at, token, moved_at, due_at)
VALUES (7000000007, 907, '3x3x3', '', 7000000007, 'Bob''s <b>', 'zh-hans', 555012, 1, 1, 1760000000, 1760000000, 1760000010, 'aTokenOfAnOpenLink', 1760000000, 1760086400);
INSERT INTO games (geometry, moves, x_seat, x_name, language, version, shown, created_at, changed_at, sweep_at, inline_message_id, moved_at, due_at)
VALUES ('3x3x3', '', 4503599627370495, 'Ann 🦆', 'en', 1, 1, 1760000000, 1760000000, 1760000010, 'AgAAAInlineOpen', 1760000000, 1760086400);
INSERT INTO games (geometry, moves, x_seat, o_seat, x_name, o_name, level, language, update_id, version, shown, created_at, changed_at, sweep_at, inline_message_id, moved_at, due_at, taken)
VALUES ('3x3x3', '84', 7000000007, 0, 'Bob''s <b>', '', 'medium', 'zh-hans', 555013, 2, 2, 1760000000, 1760000000, 1760000010, 'AgAAAInlineRunning', 1760000060, 1762592000, '555014');
INSERT INTO games (geometry, moves, x_seat, o_seat, x_name, o_name, language, termination, winner, version, shown, created_at, changed_at, sweep_at, moved_at, due_at, taken)
VALUES ('3x3x3', '04132', 81, 4503599627370495, 'Cem', 'Ann 🦆', 'de', 'line', 'X', 10, 7, 1760000000, 1760000000, 1760000010, 1760000060, 1760194430, '555015 555016 555017 555018 555019 555020 555021');
INSERT INTO games (geometry, moves, x_seat, o_seat, x_name, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, inline_message_id, o_wins, moved_at, due_at, taken)
VALUES ('3x3x3', '8', 4503599627370495, 81, 'Ann 🦆', 'Cem', 'de', 555022, 2, 2, 1760000500, 1760000000, 1760000010, 'AgAAAInlineSeries', 1, 1760000060, 1760194900, '555023');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, termination, winner, update_id, version, shown, created_at, changed_at, sweep_at, guest_chat_id, guest_message_id, guest_language, token, moved_at, due_at, taken)
VALUES (4503599627370495, 1912, '3x3x3', '04132', 4503599627370495, 81, 'Ann 🦆', 'Cem', 'en', 'line', 'X', 555024, 9, 9, 1760000000, 1760000000, 1760000010, 81, 2912, 'de', 'aTokenOfASeries', 1760000060, 1760194430, '555025 555026 555027 555028 555029 555030');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, guest_chat_id, guest_message_id, guest_language, o_wins, moved_at, due_at)
VALUES (4503599627370495, 1913, '3x3x3', '', 81, 4503599627370495, 'Cem', 'Ann 🦆', 'en', 555031, 1, 1, 1760000500, 1760000500, 1760000510, 81, 3913, 'de', 1, 1760000500, 1760194900);
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, termination, update_id, version, shown, created_at, changed_at, sweep_at, offer, moved_at, due_at, taken)
VALUES (-1002147483648, 914, '3x3x3', '012435768', 4503599627370495, 7000000007, 'Ann 🦆', 'Bob''s <b>', 'en', 'full board', 555032, 12, 12, 1760000000, 1760000000, 1760000010, 'rematch:O', 1760000060, 1760194430, '555036 555037 555038 555039 555040 555041 555042 555043');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, offer, moved_at, due_at, taken)
VALUES (-4100200300, 915, '3x3x3', '408', 7000000007, 81, 'Bob''s <b>', 'Cem', 'zh-hans', 555044, 6, 6, 1760000000, 1760000000, 1760000010, 'takeback:X', 1760000060, 1760194430, '555045 555046 555047 555048 555049');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, update_id, version, shown, created_at, changed_at, sweep_at, offer, moved_at, due_at, taken)
VALUES (-1002147483648, 916, '3x3x3', '40', 81, 7000000007, 'Cem', 'Bob''s <b>', 'de', 555050, 5, 5, 1760000000, 1760000000, 1760000010, 'resign:X', 1760000060, 1760194430, '555051 555052 555053 555054');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, termination, winner, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at, taken)
VALUES (-1002147483648, 917, '3x3x3', '40', 81, 7000000007, 'Cem', 'Bob''s <b>', 'de', 'resignation', 'O', 555055, 6, 6, 1760000000, 1760000000, 1760000010, 1760000060, 1760194430, '555056 555057 555058 555059 555060');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, language, termination, winner, update_id, version, shown, created_at, changed_at, sweep_at, guest_chat_id, guest_message_id, guest_language, token, moved_at, due_at, reminded, taken)
VALUES (7000000007, 1918, '3x3x3', '4', 7000000007, 81, 'Bob''s <b>', 'Cem', 'zh-hans', 'timeout', 'X', 555061, 5, 4, 1760000000, 1760000000, 1760000010, 81, 2918, 'de', 'aTokenOfALostGame', 1760000060, 1760001000, 1, '555062');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, x_name, language, termination, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at, taken)
VALUES (-1002147483648, 919, '3x3x3', '', 4503599627370495, 'Ann 🦆', 'en', 'cancelled', 555063, 2, 2, 1760000000, 1760000000, 1760000010, 1760000000, 1760086400, '555064');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, x_name, language, termination, update_id, version, shown, created_at, changed_at, sweep_at, rival_id, rival_name, moved_at, due_at, taken)
VALUES (-1002147483648, 920, '3x3x3', '', 4503599627370495, 'Ann 🦆', 'en', 'declined', 555065, 2, 2, 1760000000, 1760000000, 1760000010, 7000000007, 'Bob', 1760000000, 1760086400, '555066');
INSERT INTO games (chat_id, geometry, moves, x_seat, x_name, language, termination, update_id, version, shown, created_at, changed_at, sweep_at, token, moved_at, due_at)
VALUES (4503599627370495, '3x3x3', '', 4503599627370495, 'Ann 🦆', 'en', 'expired', 555067, 2, 0, 1760000000, 1760000000, 1760000010, 'aTokenThatExpired', 1760000000, 1760086400);
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, level, language, termination, winner, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at, taken)
VALUES (7000000007, 922, '3x3x3', '847652', 7000000007, 0, 'Bob''s <b>', '', 'perfect', 'zh-hans', 'line', 'O', 555068, 5, 5, 1760000000, 1760000000, 1760000010, 1760000060, 1762592000, '555069 555070 555071');
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, level, language, update_id, version, shown, created_at, changed_at, sweep_at, x_wins, moved_at, due_at)
VALUES (7000000007, 923, '3x3x3', '6', 0, 7000000007, '', 'Bob''s <b>', 'perfect', 'zh-hans', 555072, 1, 1, 1760000600, 1760000600, 1760000610, 1, 1760000600, 1762592600);
INSERT INTO games (chat_id, message_id, geometry, moves, x_seat, o_seat, x_name, o_name, level, language, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at)
VALUES (81, 924, '8x8x5', '0Hz-', 81, 0, 'Cem', '', 'medium', 'de', 555073, 1, 1, 1760000000, 1760000000, 1760000010, 1760000000, 1762592000);
INSERT INTO games (chat_id, geometry, moves, x_seat, x_name, language, update_id, version, shown, created_at, changed_at, sweep_at, moved_at, due_at)
VALUES (-1002147483648, '3x3x3', '', 81, 'Cem', 'de', 555074, 1, 0, 1760000000, 1760000000, 1760000010, 1760000000, 1760086400);
UPDATE games SET next_game = 11 WHERE id = 10;
UPDATE games SET next_game = 13 WHERE id = 12;
UPDATE games SET next_game = 23 WHERE id = 22;
