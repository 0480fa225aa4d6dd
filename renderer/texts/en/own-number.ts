/** Of a fax to one of our own numbers, on the Send screen. */
export const ownNumber = {
  title: 'This is one of our own numbers',
  sentence: 'The fax arrives in the inbox without a call, and without a header line.',
  called: 'A call is placed anyway.',
  callInstead: 'Place a call instead',
  noCallInstead: 'Deliver without a call',
  short: 'Our own number',
  noCallShort: 'without a call',
};
