/** The parts of Access about rights: roles, who has what, keys, mailboxes, devices, security audit. */
export const accessRights = {
  change: {
    cancel: 'Cancel',
    reload: 'Reload',
    staleTitle: 'Somebody else changed this in the meantime',
    staleSentence: 'Nothing was changed. Reload to see how it is now; what you typed stays.',
  },
  rows: {
    next: 'Next row',
    previous: 'Previous row',
    close: 'Close the details',
  },
};
