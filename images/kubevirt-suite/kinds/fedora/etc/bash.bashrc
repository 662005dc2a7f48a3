PS1='[\u@\h \W]\$ '
# Commands with `!` in double quotes are typed into this shell.
set +H
