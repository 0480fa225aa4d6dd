import type { MailOAuthProvider } from '../../../shared/mail-server.ts';

/** The OAuth 2 sign-in of an e-mail connector. */
export const mailOAuth = {
  open: 'OAuth 2…',
  title: (name: string) => `OAuth 2 sign-in of ${name}`,
  sentence:
    'Microsoft 365 and Google accept access tokens instead of a password. Register an application there once, and let it send e-mail for the mailbox in the sign-in name.',
  fact: 'Sign-in',
  signedIn: (provider: string) => `OAuth 2 at ${provider}`,
  provider: 'Provider',
  providers: { microsoft: 'Microsoft 365', google: 'Google' } satisfies Record<MailOAuthProvider, string>,
  stepsTitle: 'Steps at the provider',
  steps: {
    microsoft: [
      'In the Entra admin center, under App registrations, create a new registration for this directory only. Note the client ID and the ID of the directory.',
      'Under API permissions, add the delegated permissions SMTP.Send and offline_access, and have an administrator grant consent.',
      'Under Certificates & secrets, create a client secret. Note its value and its end date. You have to replace it before then.',
      'In the Exchange admin center, turn on Authenticated SMTP for the mailbox that sends.',
      'Sign in as that mailbox with a tool for OAuth 2 and the scope “https://outlook.office.com/SMTP.Send offline_access”. Note the refresh token.',
    ],
    google: [
      'In the Google Cloud console, create a project and its OAuth consent screen: Internal for Google Workspace. With an External app in testing, the sign-in expires after seven days.',
      'Under Credentials, create an OAuth client ID for a web application. Note the client ID and the client secret.',
      'Sign in as the mailbox that sends, for example in the OAuth 2.0 Playground with your own client, with the scope “https://mail.google.com/” and offline access. Note the refresh token.',
    ],
  } satisfies Record<MailOAuthProvider, readonly string[]>,
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  clientSecretHelp: 'Leave it empty if the application has none.',
  refreshToken: 'Refresh token',
  stored: 'A sign-in is stored and never shown. Saving replaces it.',
  tenant: 'Directory',
  tenantHelp: 'Its ID or its domain. Leave it empty if the application is for every organization.',
  missing: 'Fill in this field.',
  wrong: 'Copy it again: it has spaces or characters that do not belong there.',
  save: 'Save',
  cancel: 'Cancel',
  remove: 'Remove the sign-in',
  saved: (name: string) => `The OAuth 2 sign-in of ${name} was saved. Test it next.`,
  removed: (name: string) => `The OAuth 2 sign-in of ${name} was removed.`,
};
