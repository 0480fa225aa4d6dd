/** By this hidden file in it an installation marks its send folder as its own; an import folder has none. */
export const SEND_FOLDER_MARK = '.faxdesk-send-folder';
