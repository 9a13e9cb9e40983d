"""/privacy, /export and /forget."""
