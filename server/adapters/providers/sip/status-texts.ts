import type { CallTrouble } from '../../../features/contacts/line-memory-port.ts';

/** Evidence in a status text of the engine about the page at which a fax stopped. */
type Proof =
  /** No page was begun, when none was confirmed before. */
  | 'nothing'
  /** The page at hand did not get through whole. */
  | 'not the page'
  /** The page at hand may have been printed. */
  | 'perhaps the page';

export interface StopCause {
  readonly sentence: string;
  readonly proves: Proof;
  /** The page at hand was sent whole. */
  readonly isPageWhole?: boolean;
  /**
   * Trouble that other call settings may help with; left out where none would, and for a call that a person may have
   * ended.
   */
  readonly trouble?: CallTrouble;
}

const NO_FAX: StopCause = {
  sentence: 'No fax machine answered: a person or an answering machine may have taken the call.',
  proves: 'nothing',
};
const CALL_CUT: StopCause = { sentence: 'The call was cut off.', proves: 'perhaps the page' };
const POOR_LINE: StopCause = {
  sentence: 'The line was too poor for the fax machines to understand each other.',
  proves: 'not the page',
  trouble: 'pages',
};
const NO_SPEED: StopCause = { ...POOR_LINE, trouble: 'training' };
const ECM_BROKE: StopCause = { ...POOR_LINE, proves: 'perhaps the page', trouble: 'ecm' };
const AFTER_PAGE: StopCause = {
  sentence: 'The other machine did not confirm a page that was sent.',
  proves: 'perhaps the page',
  trouble: 'pages',
};
const WHOLE_PAGE: StopCause = { ...AFTER_PAGE, isPageWhole: true };
const UNSUPPORTED: StopCause = {
  sentence: 'The receiving machine cannot accept this fax.',
  proves: 'nothing',
};
const OUR_IMAGE: StopCause = {
  sentence: 'The telephone engine could not read the pages.',
  proves: 'nothing',
};
const NO_T38: StopCause = {
  sentence:
    'The other side did not switch to fax (T.38). If it happens again, the next call to this number does not use it.',
  proves: 'nothing',
  trouble: 't38',
};
const NOT_BEGUN: StopCause = {
  sentence: 'The telephone engine could not begin the fax. Check the fax modules of Asterisk.',
  proves: 'nothing',
};
const TOO_LONG: StopCause = {
  sentence: 'The fax machines took too long.',
  proves: 'perhaps the page',
  trouble: 'pages',
};
const OTHER: StopCause = { sentence: 'The fax transmission failed.', proves: 'perhaps the page' };

/** By the beginning or a part of the text, without its case, since releases differ in single words; the first that fits. */
const TEXTS: readonly (readonly [part: string, StopCause])[] = [
  ['timed out waiting for initial communication', NO_FAX],
  ['timed out waiting for the first message', NO_FAX],
  ['the ced tone exceeded', NO_FAX],
  ['received no response to dcs', { ...NO_FAX, trouble: 'training' }],
  ['dcn while waiting for a dis', NO_FAX],
  ['received other than dis', NO_FAX],
  ['no response after sending a page', WHOLE_PAGE],
  ['invalid response after sending a page', WHOLE_PAGE],
  ['dcn from remote after sending a page', WHOLE_PAGE],
  ['unexpected command after page received', AFTER_PAGE],
  ['unexpected dcn after', AFTER_PAGE],
  ['the call dropped prematurely', CALL_CUT],
  ['carrier lost', { ...CALL_CUT, trouble: 'pages' }],
  ['disconnected after permitted retries', AFTER_PAGE],
  ['unexpected dcn while waiting', CALL_CUT],
  ['failed to train', NO_SPEED],
  ['bad response to dcs', NO_SPEED],
  ['hdlc carrier did not stop', POOR_LINE],
  ['invalid ecm response', ECM_BROKE],
  ['timed out waiting for receiver ready', ECM_BROKE],
  ['timed out waiting for procedural interrupt', { ...POOR_LINE, proves: 'perhaps the page' }],
  ['unexpected message received', { ...POOR_LINE, proves: 'perhaps the page' }],
  ['timed out while waiting for eol', POOR_LINE],
  ['timed out while waiting for first line', POOR_LINE],
  ['timer t2 expired', { ...POOR_LINE, proves: 'perhaps the page' }],
  ['dcs received while waiting for dtc', POOR_LINE],
  ['far end', UNSUPPORTED],
  ['operator intervention failed', UNSUPPORTED],
  ['not accepted', UNSUPPORTED],
  ['tiff/f', OUR_IMAGE],
  ['cannot allocate memory for more pages', OUR_IMAGE],
  ['error reading file', OUR_IMAGE],
  ['error negotiating t.38', NO_T38],
  ['t.38 switch failed', NO_T38],
  ['error starting fax session', NOT_BEGUN],
  ['error reserving fax session', NOT_BEGUN],
  ['error answering channel', NOT_BEGUN],
  ['invalid arguments', NOT_BEGUN],
  ['maxrate is less than minrate', NOT_BEGUN],
  ['remote channel hungup', CALL_CUT],
  ['fax session timed-out', TOO_LONG],
];

/** By FAXERROR, where the text says nothing. */
const ERRORS: Readonly<Record<string, StopCause>> = {
  INIT_ERROR: NOT_BEGUN,
  INVALID_ARGUMENTS: NOT_BEGUN,
  MEMORY_ERROR: NOT_BEGUN,
  FILE_ERROR: OUR_IMAGE,
  T38_NEG_ERROR: NO_T38,
  HANGUP: CALL_CUT,
  TIMEOUT: TOO_LONG,
};

/** Returns the reason why a fax stopped, by the engine's status texts. */
export function findStopCause({ error, statusText }: { error: string; statusText: string }): StopCause {
  const text = statusText.toLowerCase();
  const known = TEXTS.find(([part]) => text.includes(part))?.[1];
  return known ?? ERRORS[error.toUpperCase()] ?? OTHER;
}
