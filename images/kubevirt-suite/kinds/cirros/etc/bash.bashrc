PS1='\$ '
# Commands with `!` in double quotes are typed into this shell.
set +H
