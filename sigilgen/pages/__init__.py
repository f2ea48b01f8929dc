"""From evidence to what people read: page values, Markdown and SVG."""
