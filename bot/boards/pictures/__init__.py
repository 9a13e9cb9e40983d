"""Pictures without words, drawn with Pillow; captions say in any language what they show."""
