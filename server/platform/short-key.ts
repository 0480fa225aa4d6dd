/** Characters. A shorter installation key can be guessed. */
const SAFE_KEY_LENGTH = 32;

export const SHORT_KEY =
  'The installation key (API_KEY) is shorter than 32 characters, so it could be guessed, and it opens everything: put a longer one into the environment and start again.';

/** Returns true when the installation key is short enough to guess. */
export const isShortKey = (key: string): boolean => key.length < SAFE_KEY_LENGTH;
