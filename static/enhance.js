// Says, before anything is drawn, that scripts run: the stylesheet shows what needs them and hides what replaces them.
document.documentElement.classList.add("js");
