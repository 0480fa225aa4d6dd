/** Texts of the kit itself. */
export const words = {
  close: 'Close',
  you: (name: string) => `${name} (you)`,
  copy: 'Copy',
  copied: 'Copied',
  copyRefused: (keys: string) =>
    `The browser does not allow this button to copy. The text is selected: press ${keys}.`,
  show: 'Show',
  hide: 'Hide',
  suggestions: 'Show suggestions',
  showSecret: 'Show what you typed',
  hideSecret: 'Hide what you typed',
  keyTitle: (caps: string) => `Shortcut: ${caps}`,
  units: {
    seconds: (count: string) => `${count}\u00a0s`,
    minutes: (count: string) => `${count}\u00a0min`,
    hours: (count: string) => `${count}\u00a0h`,
  },
  times: {
    at: (time: string) => `at ${time}`,
    yesterday: (time: string) => `yesterday at ${time}`,
    tomorrow: (time: string) => `tomorrow at ${time}`,
    on: (day: string, time: string) => `on ${day} at ${time}`,
  },
  dates: {
    any: 'Date',
    today: 'Today',
    lastDays: (days: string) => `Last ${days} days`,
    from: 'From',
    to: 'To',
    all: 'Any date',
    since: (day: string) => `Since ${day}`,
    until: (day: string) => `Until ${day}`,
    between: (from: string, to: string) => `${from} – ${to}`,
  },
};
