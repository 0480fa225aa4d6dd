; What the installer of Windows does beside copying files: the menu entry "Send as fax" of documents, and links that begin
; with faxdesk://. All of it belongs to the person who installs, and what opens a document by double click stays as it is.

!macro SendAsFax EXTENSION
  WriteRegStr HKCU "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk" "" "Send as fax"
  WriteRegStr HKCU "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk" "Icon" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}",0'
  WriteRegStr HKCU "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro NoSendAsFax EXTENSION
  DeleteRegKey HKCU "Software\Classes\SystemFileAssociations\${EXTENSION}\shell\Faxdesk"
!macroend

!macro customInstall
  !insertmacro SendAsFax ".pdf"
  !insertmacro SendAsFax ".tif"
  !insertmacro SendAsFax ".tiff"
  WriteRegStr HKCU "Software\Classes\faxdesk" "" "URL:Faxdesk"
  WriteRegStr HKCU "Software\Classes\faxdesk" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\faxdesk\DefaultIcon" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}",0'
  WriteRegStr HKCU "Software\Classes\faxdesk\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

!macro customUnInstall
  !insertmacro NoSendAsFax ".pdf"
  !insertmacro NoSendAsFax ".tif"
  !insertmacro NoSendAsFax ".tiff"
  DeleteRegKey HKCU "Software\Classes\faxdesk"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
