export const PRINCIPAL_KINDS = ['user', 'integration', 'bootstrap'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

export const SESSION_SOURCES = ['password', 'passkey', 'key', 'bootstrap'] as const;
export type SessionSource = (typeof SESSION_SOURCES)[number];
