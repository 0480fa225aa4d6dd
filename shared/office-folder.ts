/** Returns the folder for files about Faxdesk that only an administrator of the computer can write. */
export function officeFolder(platform: string, programFiles: string | undefined): string {
  if (platform === 'win32') return `${programFiles ?? 'C:\\Program Files'}\\Faxdesk policy`;
  return platform === 'darwin' ? '/Library/Application Support/Faxdesk' : '/etc/faxdesk';
}

/** Name of the file in that folder about the service of this computer. */
export const SERVICE_FILE = 'service.json';
