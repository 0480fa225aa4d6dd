/**
 * Problems of reports that a provider should send by itself, with the words for the health page: refused notifications
 * and callbacks, and faxes and outcomes found only by polling.
 */
export const REPORT_PROBLEMS = {
  fax_not_reported: 'Received faxes that the provider did not report',
  outcome_not_reported: 'Outcomes of sent faxes that the provider did not report',
  no_signature: 'Notifications refused because they had no signature',
  wrong_signature: 'Notifications refused because their signature was wrong',
  no_token: 'Notifications refused because the callback token is not set',
  no_credentials: 'Notifications refused because they had no user name and password',
  wrong_credentials: 'Notifications refused because their user name or password was wrong',
  no_account: 'Notifications refused because the provider is not set up here',
  callback_no_signature: 'Callbacks about sent faxes refused because they had no signature',
  callback_wrong_signature: 'Callbacks about sent faxes refused because their signature was wrong',
  callback_no_token:
    'Callbacks about sent faxes refused because nothing could verify them when the fax was sent',
  callback_no_fax: 'Callbacks refused because they named no fax that was sent from here',
} as const;
export type ReportProblem = keyof typeof REPORT_PROBLEMS;

/** The kinds as a list, for schemas. */
export const REPORT_PROBLEM_KINDS = Object.keys(REPORT_PROBLEMS) as [ReportProblem, ...ReportProblem[]];
