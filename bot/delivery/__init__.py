"""How what is decided reaches Telegram: boards, notices and answers, at the pace that it allows."""
