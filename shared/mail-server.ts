/** Security of the connection to an e-mail server. */
export const MAIL_SECURITY = ['starttls', 'tls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITY)[number];

/** Providers that accept access tokens (OAuth 2) in place of a password for sending mail. */
export const MAIL_OAUTH_PROVIDERS = ['microsoft', 'google'] as const;
export type MailOAuthProvider = (typeof MAIL_OAUTH_PROVIDERS)[number];
