/** Texts of the tour of the console. */
export const tour = {
  title: 'Tour',
  offer: 'New to Faxdesk?',
  offerSentence: 'The tour shows where everything is, in a few steps. You can leave it at any time.',
  start: 'Start the tour',
  decline: 'No, thanks',
  declined: 'You find the tour in the menu of your initials.',
  step: (place: string, last: string, title: string) => `${place} of ${last}: ${title}`,
  next: 'Next',
  back: 'Back',
  done: 'Done',
  leave: 'Leave the tour',
  failed: 'Faxdesk could not save where you are in the tour. You can go on.',
  steps: {
    send: {
      title: 'Send a fax',
      text: 'Type the name or number of the recipient, and drop the documents anywhere on this screen.',
    },
    pages: {
      title: 'Look before you send',
      text: 'The pages are shown here as they will leave, the cover page too. A fax is sent once, when you press Send fax.',
    },
    sent: {
      title: 'What became of it',
      text: 'Every fax you sent, with its state. When nobody can tell if a fax arrived, Faxdesk asks you and does not send it again by itself.',
    },
    inbox: {
      title: 'Received faxes',
      text: 'The newest is at the top. Enter opens it; J and K go to the next and the previous one.',
    },
    work: {
      title: 'What is to be done',
      text: 'Take a fax, write what you did, and mark it as done. Everyone sees who has it.',
    },
    contacts: {
      title: 'Names and numbers',
      text: 'A contact you save here is found by its name when you send, so no number is typed wrong.',
    },
    settings: {
      title: 'Your own settings',
      text: 'Your signatures, your phrases, and what your new faxes begin with. The menu of your initials at the top right leads here.',
    },
    help: {
      title: 'Help',
      text: 'F1 opens the help for the screen you are on, and the question mark lists its keys. The tour is in the menu of your initials.',
    },
  },
};
