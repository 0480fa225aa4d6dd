/** Of a fax to a partner that gets originals directly, on the Send screen. */
export const directRecipient = {
  title: 'This number gets the original directly',
  sentence:
    'The document arrives exactly as it is, without a call. If it can’t, it is sent as an ordinary fax.',
  called: 'It is sent as an ordinary fax, by a call.',
  callInstead: 'Send as an ordinary fax instead',
  directInstead: 'Send the original directly',
  short: 'Directly, as the original',
};
