//! What an agent is shown before it starts: its tools, and what its prompt says of tools and skills (TOOL-005 to TOOL-017).
//! Pure functions; the handler feeds them and acts on what they give.
