"""Cards drawn by Pillow: layouts, text fitting, glyphs and colours."""
