PS1='\h:\w\$ '
# Commands with `!` in double quotes are typed into this shell.
set +H
