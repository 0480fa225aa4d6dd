export const PRINCIPAL_KINDS = ['user', 'integration', 'bootstrap'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

/** Sign-ins that an installation allows in known browsers, beside the password and passkeys. */
export const QUICK_SIGN_IN = ['off', 'pin', 'pin_or_card'] as const;
export type QuickSignInSetting = (typeof QUICK_SIGN_IN)[number];

export const SESSION_SOURCES = ['password', 'passkey', 'pin', 'card', 'key', 'bootstrap'] as const;
/** Sources of the sessions in which people are themselves. */
export const PERSON_SOURCES = [
  'password',
  'passkey',
  'pin',
  'card',
] as const satisfies readonly SessionSource[];
export type PersonSource = (typeof PERSON_SOURCES)[number];
export type SessionSource = (typeof SESSION_SOURCES)[number];
