export const PRINT_RULES_SETTINGS = ['TIME_ZONE'] as const;
