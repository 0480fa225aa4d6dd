/** The fax printer on the computers that print to it. */
export const faxPrinter = {
  title: 'The printer on your computers',
  atGateway: 'Once it is added on the Faxdesk computer, every program there can print to Faxdesk.',
  inNetwork:
    'Once it is added on a computer, every program there can print to Faxdesk. The computer asks for your user name and print password.',
  off: 'Turn on the fax printer and save. Then it can be added here.',
  add: 'Add the printer to this computer',
  adding: 'Adding the printer',
  added: 'The printer “Faxdesk” was added to this computer.',
  refused: 'The printer was not added.',
  asAdministrator: 'To add it as an administrator of the computer, run this command:',
  byCommand: 'To add it, run the command for the computer as its administrator:',
  system: { win32: 'Windows 11', darwin: 'macOS', linux: 'Linux' },
};
