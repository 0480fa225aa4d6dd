export const ARCHIVES_SETTINGS = ['TIME_ZONE'] as const;
