/** Characters. A shorter installation key can be guessed. */
const SAFE_KEY_LENGTH = 32;

export const SHORT_KEY =
  'The installation key (API_KEY) is shorter than 32 characters. It gives access to everything and could be guessed. Put a longer one in the environment and restart Faxdesk.';

/** Returns true when the installation key is short enough to guess. */
export const isShortKey = (key: string): boolean => key.length < SAFE_KEY_LENGTH;
