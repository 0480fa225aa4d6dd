@echo off
setlocal
rem Runs Faxdesk with the Node.js beside it. Nothing is written beside the program.
set NODE_DISABLE_COMPILE_CACHE=1
"%~dp0node.exe" --max-semi-space-size=2 "--env-file-if-exists=%~dp0..\service.env" "%~dp0..\server\faxdesk.mjs" %*
