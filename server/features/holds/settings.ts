export const HOLDS_SETTINGS = ['FAX_DEFAULT_COUNTRY'] as const;
