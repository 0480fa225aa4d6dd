/** Reasons why the script of the telephone engine could not hand a fax over, as written into its note. */
export const HAND_OVER_FAILURES = [
  'no_secret',
  'secret_refused',
  'receiving_off',
  'image_unreadable',
  'refused',
  'unreachable',
] as const;

export type HandOverFailure = (typeof HAND_OVER_FAILURES)[number];

const SENTENCES: Readonly<Record<HandOverFailure, string>> = {
  no_secret: 'Asterisk had no inbound secret yet: it could not read telephony/inbound-secret.',
  secret_refused: 'The inbound secret was refused.',
  receiving_off: 'Receiving was off.',
  image_unreadable: 'The image could not be read.',
  refused: 'Faxdesk did not accept what Asterisk reported about the call.',
  unreachable: 'Asterisk could not reach Faxdesk.',
};

/** Returns a failure as one sentence. */
export const failureSentence = (failure: HandOverFailure): string => SENTENCES[failure];
