; Extends the installers of Windows by the arguments of an office that installs Faxdesk for everyone, the menu entry "Send as fax"
; of documents, and links that begin with faxdesk://. The program that opens a document by double click stays as it is.
; SHCTX is the part of the registry that belongs to the installer: that of the account, or that of the computer.

; The product for everyone, as `electron-builder-everyone.yml` has it.
!define FAXDESK_FOR_EVERYONE "038e76c9-6cfc-49c6-b7d2-4785ab782114"
; The product for an account, as electron-builder makes it from the name of the application.
!define FAXDESK_FOR_ACCOUNT "79e4ed6f-e50b-5f56-8423-0786c6af13a9"
; The MSI package, as `electron-builder.yml` has it.
!define FAXDESK_PACKAGE "{3AB2209B-8188-4318-9189-80ADA0DB6010}"
!define FAXDESK_DECISIONS "$PROGRAMFILES64\Faxdesk policy"
; File by which every Faxdesk that runs from the folder finishes and quits, as `main/close-request.ts` has it.
!define FAXDESK_CLOSE_REQUEST "$INSTDIR\resources\close-requested"
; Time that a Faxdesk has to finish and quit, and the time after which a person is asked, in rounds of half a second.
!define /ifndef FAXDESK_ROUNDS 1200
!define /ifndef FAXDESK_ROUNDS_TO_QUESTION 40

; Leaves the names of the programs that still run, for an installation without a window, where other accounts cannot put a file of theirs.
!macro LeaveNames
  !ifdef INSTALL_MODE_PER_ALL_USERS
    CreateDirectory "${FAXDESK_DECISIONS}"
    FileOpen $R9 "${FAXDESK_DECISIONS}\still-running.txt" w
  !else
    FileOpen $R9 "$TEMP\Faxdesk still running.txt" w
  !endif
  FileWriteUTF16LE /BOM $R9 "$R1$\r$\n"
  FileClose $R9
!macroend

; Ends the installer before it has changed anything that the program needs.
!macro EndInstaller CODE SENTENCE
  MessageBox MB_OK|MB_ICONSTOP "${SENTENCE}" /SD IDOK
  SetErrorLevel ${CODE}
  Quit
!macroend

; Reads an argument such as /GATEWAY=https://fax.example.office:8443 by the rules of Windows for quotation marks; empty without one.
!macro ReadArgument NAME RESULT
  StrCpy ${RESULT} ""
  System::Call 'kernel32::GetCommandLineW() p .R0'
  System::Call 'shell32::CommandLineToArgvW(p R0, *i .R1) p .R2'
  StrCpy $R3 $R2
  StrLen $R4 "/${NAME}="
  ${While} $R1 > 0
    System::Call '*$R3(p .R5)'
    System::Call 'kernel32::lstrcpynW(w .R6, p R5, i ${NSIS_MAX_STRLEN})'
    StrCpy $R7 $R6 $R4
    ${If} $R7 == "/${NAME}="
      StrCpy ${RESULT} $R6 "" $R4
    ${EndIf}
    System::Int64Op $R3 + ${NSIS_PTR_SIZE}
    Pop $R3
    IntOp $R1 $R1 - 1
  ${EndWhile}
  System::Call 'kernel32::LocalFree(p R2)'
!macroend

!macro CheckYesOrNo NAME VALUE
  ${If} ${VALUE} != ""
  ${AndIf} ${VALUE} != "true"
  ${AndIf} ${VALUE} != "false"
    !insertmacro EndInstaller 2 "/${NAME} is either true or false. Nothing was installed."
  ${EndIf}
!macroend

; Writes a text of JSON into the file $R0, in ASCII.
!macro WriteJsonText VALUE
  FileWrite $R0 '"'
  StrCpy $R2 0
  ${Do}
    StrCpy $R3 ${VALUE} 1 $R2
    ${If} $R3 == ""
      ${ExitDo}
    ${EndIf}
    System::Call 'kernel32::lstrcpynW(*i .R4, w R3, i 2)'
    ${If} $R4 < 32
    ${OrIf} $R4 > 126
      IntFmt $R3 "\u%04x" $R4
    ${ElseIf} $R4 = 34
    ${OrIf} $R4 = 92
      StrCpy $R3 "\$R3"
    ${EndIf}
    FileWrite $R0 $R3
    IntOp $R2 $R2 + 1
  ${Loop}
  FileWrite $R0 '"'
!macroend

; Writes a field of the file $R0 unless its value is empty. $R1 is what comes before it.
!macro WriteField KEY VALUE IS_TEXT
  ${If} ${VALUE} != ""
    FileWrite $R0 '$R1$\n  "${KEY}": '
    !if ${IS_TEXT} == true
      !insertmacro WriteJsonText ${VALUE}
    !else
      FileWrite $R0 ${VALUE}
    !endif
    StrCpy $R1 ","
  ${EndIf}
!macroend

; The decisions of the office: $1 gateway, $2 certificate, $3 start at login, $4 updates, $6 network.
!macro WriteDecisions
  ClearErrors
  CreateDirectory "${FAXDESK_DECISIONS}"
  FileOpen $R0 "${FAXDESK_DECISIONS}\desktop.json.new" w
  StrCpy $R1 "{"
  !insertmacro WriteField gateway $1 true
  !insertmacro WriteField certificate $2 true
  !insertmacro WriteField start_at_login $3 false
  !insertmacro WriteField network $6 true
  !insertmacro WriteField updates $4 true
  FileWrite $R0 "$\n}$\n"
  FileClose $R0
  StrCpy $R1 0
  ${IfNot} ${Errors}
    System::Call 'kernel32::MoveFileExW(w "${FAXDESK_DECISIONS}\desktop.json.new", w "${FAXDESK_DECISIONS}\desktop.json", i 9) i .R1'
  ${EndIf}
  ${If} $R1 = 0
    !insertmacro EndInstaller 3 "The decisions of the office could not be written to ${FAXDESK_DECISIONS}. Nothing was installed."
  ${EndIf}
!macroend

; Runs a program without its window. $R0 is its exit code, or "error" where it does not start: nsExec starts it through a copy of
; itself, which a virus scanner may hold for a moment, so it tries again for two seconds.
!macro RunHidden COMMAND
  Push $R2
  StrCpy $R2 0
  ${Do}
    nsExec::ExecToStack '${COMMAND}'
    Pop $R0
    Pop $R1
    ${If} $R0 != "error"
    ${OrIf} $R2 = 20
      ${ExitDo}
    ${EndIf}
    Sleep 100
    IntOp $R2 $R2 + 1
  ${Loop}
  Pop $R2
!macroend

!macro RunNetsh COMMAND
  !insertmacro RunHidden '"$SYSDIR\netsh.exe" advfirewall firewall ${COMMAND}'
!macroend

; Runs a command about the service of this computer. $R0 is its exit code.
!macro RunService WORD
  !insertmacro RunHidden '"$INSTDIR\resources\gateway\bin\node.exe" "$INSTDIR\resources\gateway\server\faxdesk.mjs" service ${WORD}'
!macroend

; Looks for programs that run from the folder of Faxdesk, of every account: $R0 is their number, $R1 their names.
!macro FindRunning
  StrCpy $R0 0
  StrCpy $R1 ""
  StrLen $R2 "$INSTDIR\"
  System::Alloc 65536
  Pop $R3
  System::Call 'psapi::EnumProcesses(p R3, i 65536, *i .R4)'
  System::Call 'kernel32::GetCurrentProcessId() i .R5'
  StrCpy $R6 $R3
  ${While} $R4 >= 4
    IntOp $R4 $R4 - 4
    System::Call '*$R6(i .R7)'
    System::Int64Op $R6 + 4
    Pop $R6
    ; Without the access, it is a program of another account that has its own Faxdesk.
    System::Call 'kernel32::OpenProcess(i 0x1000, i 0, i R7) p .R8'
    ${If} $R8 P<> 0
      System::Call 'kernel32::QueryFullProcessImageNameW(p R8, i 0, w .R9, *i ${NSIS_MAX_STRLEN}) i .r0'
      System::Call 'kernel32::CloseHandle(p R8)'
      StrCpy $R8 $R9 $R2
      ${If} $0 <> 0
      ${AndIf} $R7 <> $R5
      ${AndIf} $R8 == "$INSTDIR\"
        IntOp $R0 $R0 + 1
        System::Call 'shlwapi::PathFindFileNameW(w R9) w .R9'
        System::Call 'shlwapi::StrStrIW(w R1, w R9) p .R8'
        ${If} $R1 == ""
          StrCpy $R1 $R9
        ${ElseIf} $R8 P= 0
          StrCpy $R1 "$R1, $R9"
        ${EndIf}
      ${EndIf}
    ${EndIf}
  ${EndWhile}
  System::Free $R3
!macroend

; Has every Faxdesk of the folder close. It finishes the fax that it is sending first, so none is ended from outside.
!macro RequestClose
  Delete "${FAXDESK_CLOSE_REQUEST}"
  FileOpen $R9 "${FAXDESK_CLOSE_REQUEST}" w
  FileClose $R9
!macroend

; Waits until no program runs from the folder. $2 counts the rounds, $3 those until a person is asked.
!macro WaitForEnd
  StrCpy $2 0
  StrCpy $3 0
  ${Do}
    !insertmacro FindRunning
    ${If} $R0 = 0
      ${ExitDo}
    ${EndIf}
    ; The application that has started this installer is about to end.
    IntOp $R2 $2 % 20
    ${If} $R2 = 4
      !insertmacro RequestClose
    ${EndIf}
    ${If} $2 >= ${FAXDESK_ROUNDS}
      Delete "${FAXDESK_CLOSE_REQUEST}"
      !insertmacro LeaveNames
      !insertmacro EndInstaller 6 "These programs still run from the folder of Faxdesk: $R1. Close them, also in other accounts of this computer, and try again. Nothing was changed."
    ${EndIf}
    ${If} $3 >= ${FAXDESK_ROUNDS_TO_QUESTION}
      StrCpy $3 0
      MessageBox MB_RETRYCANCEL|MB_ICONINFORMATION "These programs still run from the folder of Faxdesk: $R1.$\r$\n$\r$\nFaxdesk finishes the fax that it is sending, and closes. Close the others yourself, also in other accounts of this computer. Retry goes on waiting; Cancel changes nothing." /SD IDRETRY IDRETRY +4
      Delete "${FAXDESK_CLOSE_REQUEST}"
      SetErrorLevel 6
      Quit
    ${EndIf}
    IntOp $2 $2 + 1
    IntOp $3 $3 + 1
    Sleep 500
  ${Loop}
  Delete "${FAXDESK_CLOSE_REQUEST}"
!macroend

; In the place of the lines of electron-builder, which end every program in the folder: the gateway of the service and every Faxdesk finish
; the fax that they are sending, and stop.
!macro customCheckAppRunning
  !ifdef INSTALL_MODE_PER_ALL_USERS
    ${If} ${FileExists} "${FAXDESK_DECISIONS}\service.json"
    ${AndIf} ${FileExists} "$INSTDIR\resources\gateway\bin\node.exe"
      !insertmacro RunService stop
      ${If} $R0 != 0
        !insertmacro EndInstaller 3 "The service of Faxdesk could not be stopped. Nothing was changed."
      ${EndIf}
    ${EndIf}
  !endif
  !insertmacro WaitForEnd
!macroend

; $R0 is 0 where the MSI package is installed.
!macro FindPackage
  System::Call 'msi::MsiEnumRelatedProductsW(w "${FAXDESK_PACKAGE}", i 0, i 0, w .R1) i .R0'
!macroend

; Looks for a copy of its own of the accounts that are signed in: $R2 is not empty where there is one.
!macro FindAccountCopy
  StrCpy $R0 0
  StrCpy $R2 ""
  ${Do}
    EnumRegKey $R1 HKU "" $R0
    ${If} $R1 == ""
      ${ExitDo}
    ${EndIf}
    ReadRegStr $R2 HKU "$R1\Software\${FAXDESK_FOR_ACCOUNT}" InstallLocation
    ${If} $R2 != ""
      ${ExitDo}
    ${EndIf}
    IntOp $R0 $R0 + 1
  ${Loop}
!macroend

; Two of the installers on a computer would be two copies, of which one never gets a new version. What is there is
; renewed by its own kind alone.
!macro RefuseOtherScope
  !insertmacro FindPackage
  !ifdef INSTALL_MODE_PER_ALL_USERS
    ${If} $R0 == "0"
      !insertmacro EndInstaller 4 "Faxdesk was installed on this computer with its MSI package. Use that package for a new version, or remove Faxdesk first. Nothing was installed."
    ${EndIf}
    ReadRegStr $R3 HKLM "Software\${FAXDESK_FOR_EVERYONE}" InstallLocation
    ${If} $R3 == ""
      !insertmacro FindAccountCopy
      ${If} $R2 != ""
        !insertmacro EndInstaller 4 "A person who is signed in to this computer has installed Faxdesk for that account alone. Remove it there first: it is among the installed programs of the account, and its faxes stay. Nothing was installed."
      ${EndIf}
    ${EndIf}
  !else
    ReadRegStr $R3 HKLM "Software\${FAXDESK_FOR_EVERYONE}" InstallLocation
    ${If} $R3 != ""
    ${OrIf} $R0 == "0"
      !insertmacro EndInstaller 4 "Faxdesk is installed for everyone on this computer. Only the person who manages it can install a new version."
    ${EndIf}
  !endif
!macroend

; Everything that an argument asks for is done before a file of the program is there: with an error, nothing is installed.
!macro customInit
  !insertmacro ReadArgument GATEWAY $1
  !insertmacro ReadArgument CERTIFICATE $2
  !insertmacro ReadArgument START_AT_LOGIN $3
  !insertmacro ReadArgument UPDATES $4
  !insertmacro ReadArgument FIREWALL $5
  !insertmacro ReadArgument NETWORK $6
  !insertmacro ReadArgument SERVICE $7
  !ifdef INSTALL_MODE_PER_ALL_USERS
    !insertmacro CheckYesOrNo START_AT_LOGIN $3
    !insertmacro CheckYesOrNo FIREWALL $5
    !insertmacro CheckYesOrNo SERVICE $7
    ${If} $6 != ""
    ${AndIf} $6 != "on"
    ${AndIf} $6 != "off"
      !insertmacro EndInstaller 2 "/NETWORK is either on or off. Nothing was installed."
    ${EndIf}
    StrLen $R0 $1
    StrLen $R1 $2
    StrLen $R2 $4
    StrCpy $R3 $1 8
    ${If} "$R0$R1" != "00"
      ${If} $R3 != "https://"
      ${OrIf} $R0 > 300
        !insertmacro EndInstaller 2 "/GATEWAY is an address such as https://fax.example.office:8443. Nothing was installed."
      ${EndIf}
      ${If} $R1 <> 0
      ${AndIf} $R1 <> 64
      ${AndIf} $R1 <> 95
        !insertmacro EndInstaller 2 "/CERTIFICATE is the fingerprint of 32 pairs of digits that the server shows, together with /GATEWAY. Nothing was installed."
      ${EndIf}
    ${EndIf}
    ${If} $R2 > 500
      !insertmacro EndInstaller 2 "/UPDATES is longer than 500 characters. Nothing was installed."
    ${EndIf}
    !insertmacro RefuseOtherScope
    ${If} "$1$2$3$4$6" != ""
      !insertmacro WriteDecisions
    ${EndIf}
    ${If} $5 == "true"
      !insertmacro RunNetsh 'delete rule name="Faxdesk" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
      !insertmacro RunNetsh 'add rule name="Faxdesk" dir=in action=allow profile=domain,private program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
      ${If} $R0 != 0
        !insertmacro EndInstaller 3 "The firewall could not be changed. Nothing was installed."
      ${EndIf}
    ${EndIf}
  !else
    ${If} "$1$2$3$4$5$6$7" != ""
      !insertmacro EndInstaller 2 "The settings of an office are for everyone who uses the computer. Use the installer for everyone, whose name ends with -everyone.exe. Nothing was installed."
    ${EndIf}
    !insertmacro RefuseOtherScope
  !endif
!macroend

!macro SendAsFax EXTENSION
  WriteRegStr SHCTX "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk" "" "Send as fax"
  WriteRegStr SHCTX "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk" "Icon" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}",0'
  WriteRegStr SHCTX "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro NoSendAsFax EXTENSION
  DeleteRegKey SHCTX "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk"
!macroend

!macro customInstall
  !insertmacro SendAsFax ".pdf"
  !insertmacro SendAsFax ".tif"
  !insertmacro SendAsFax ".tiff"
  WriteRegStr SHCTX "Software\Classes\faxdesk" "" "URL:Faxdesk"
  WriteRegStr SHCTX "Software\Classes\faxdesk" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\faxdesk\DefaultIcon" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}",0'
  WriteRegStr SHCTX "Software\Classes\faxdesk\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  ; The application reads for whom it was installed before it looks for new versions.
  FileOpen $R0 "$INSTDIR\resources\installed-for" w
  !ifdef INSTALL_MODE_PER_ALL_USERS
    FileWrite $R0 "everyone"
  !else
    FileWrite $R0 "account"
  !endif
  FileClose $R0
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
  !ifdef INSTALL_MODE_PER_ALL_USERS
    !insertmacro ReadArgument SERVICE $7
    ${If} $7 == "true"
    ${OrIf} ${FileExists} "${FAXDESK_DECISIONS}\service.json"
      !insertmacro RunService create
      ${If} $R0 != 0
        MessageBox MB_OK|MB_ICONEXCLAMATION "Faxdesk is installed, but its service did not start. The command $\"faxdesk service create$\" says why." /SD IDOK
        SetErrorLevel 5
      ${EndIf}
    ${EndIf}
  !endif
!macroend

; Removes the start at sign-in of a part of the registry, as the application writes it, unless it belongs to another installation.
!macro NoStartAtLogin ROOT PREFIX
  ReadRegStr $R2 ${ROOT} "${PREFIX}Software\Microsoft\Windows\CurrentVersion\Run" "org.faxdesk.desktop"
  StrCpy $R3 $R2 1
  ${If} $R3 == '"'
    StrCpy $R2 $R2 "" 1
  ${EndIf}
  StrLen $R3 "$INSTDIR\"
  StrCpy $R2 $R2 $R3
  ${If} $R2 == "$INSTDIR\"
    DeleteRegValue ${ROOT} "${PREFIX}Software\Microsoft\Windows\CurrentVersion\Run" "org.faxdesk.desktop"
    DeleteRegValue ${ROOT} "${PREFIX}Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "org.faxdesk.desktop"
  ${EndIf}
!macroend

; The decisions of the office stay: the next installation must not begin with a gateway that it was not to have.
!macro customUnInstall
  !insertmacro NoSendAsFax ".pdf"
  !insertmacro NoSendAsFax ".tif"
  !insertmacro NoSendAsFax ".tiff"
  DeleteRegKey SHCTX "Software\Classes\faxdesk"
  ${IfNot} ${isUpdated}
    !insertmacro NoStartAtLogin HKCU ""
  ${EndIf}
  !ifdef INSTALL_MODE_PER_ALL_USERS
    ${IfNot} ${isUpdated}
      ${If} ${FileExists} "${FAXDESK_DECISIONS}\service.json"
        !insertmacro RunService remove
      ${EndIf}
      ; Of people who are signed in; those of others start nothing once the program is gone.
      StrCpy $R0 0
      ${Do}
        EnumRegKey $R1 HKU "" $R0
        ${If} $R1 == ""
          ${ExitDo}
        ${EndIf}
        !insertmacro NoStartAtLogin HKU "$R1\"
        IntOp $R0 $R0 + 1
      ${Loop}
      !insertmacro RunNetsh 'delete rule name="Faxdesk" program="$INSTDIR\${APP_EXECUTABLE_FILENAME}"'
    ${EndIf}
  !endif
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
