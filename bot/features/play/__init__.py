"""Games: starting them, and the commands and buttons of a running one."""
