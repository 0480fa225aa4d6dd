/** The second factor of the person who is here. */
export const twoFactor = {
  title: 'Second factor',
  off: 'Off. When it is on, a stolen password is not enough: signing in also asks for a code from your phone.',
  on: 'On. Signing in asks for your password and a code from your authenticator app.',
  codesLeft: (left: string, count: number) =>
    `${left} recovery ${count === 1 ? 'code is' : 'codes are'} left.`,
  setUp: 'Set up…',
  newCodes: 'New recovery codes…',
  turnOff: 'Turn off…',
  isRequired: 'Your role requires it.',
  neededTitle: 'Set up your second factor',
  neededSentence: 'Your role requires a code at every sign-in. You need a phone with an authenticator app.',
  password: 'Your password',
  begin: 'Continue',
  scan: 'Open your authenticator app, add an account, and point the camera here.',
  picture: 'QR code for the authenticator app',
  secret: 'Or type this key into the app',
  code: 'Code from the app',
  codeHelp: 'Six digits that change every 30 seconds.',
  codeOrRecovery: 'Code',
  codeOrRecoveryHelp: 'From your authenticator app, or one of your recovery codes.',
  turnOn: 'Turn on',
  codesTitle: 'Your recovery codes',
  codesSentence:
    'Each code signs you in once when you do not have your phone. Print them or write them down. They are shown only now.',
  copy: 'Recovery codes',
  stored: 'I saved them',
  turnOffTitle: 'Turn the second factor off?',
  turnOffSentence: 'From then on, your password alone signs you in.',
  turnOffNow: 'Turn off',
  renewTitle: 'Make new recovery codes?',
  renewSentence: 'Your current codes stop working at once.',
  renewNow: 'Make new codes',
  entered: {
    title: (times: string, count: number, when: string, where: string) =>
      count === 1
        ? `Somebody entered your password but not your code, ${when}, from ${where}.`
        : `Somebody entered your password ${times} times but not your code, the last time ${when}, from ${where}.`,
    sentence: 'If it was not you,',
    change: 'change your password',
    dismiss: 'Dismiss',
    thisComputer: 'this computer',
  },
};
