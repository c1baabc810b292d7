"""The three screens on which every page is looked at."""

SCREENS = {
    "light": dict(viewport=dict(width=1360, height=900), color_scheme="light"),
    "dark": dict(viewport=dict(width=1360, height=900), color_scheme="dark"),
    "phone": dict(viewport=dict(width=390, height=844), is_mobile=True, has_touch=True),
}
