/** In the data folder: the folders that a person chose in the desktop's dialog, as a JSON list. Only the application writes it. */
export const ALLOWED_FOLDERS_FILE = 'allowed-folders.json';
