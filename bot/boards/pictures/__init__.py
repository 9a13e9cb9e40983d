"""Pictures with names and figures, drawn with Pillow; captions say in any language what they show."""
