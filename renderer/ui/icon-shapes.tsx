/** Drawn on 20 px with strokes of 1.5 and round ends, in the color of the text around them. */
export const ICON_SHAPES = {
  mark: (
    <>
      <path d="M8.25 8.25v-5.5h7v5.5M10.75 5.25h2M5.75 8.25h10.5a1.25 1.25 0 0 1 1.25 1.25v6a1.25 1.25 0 0 1-1.25 1.25H5.75M9 11.25h5.25M9 13.9h1.5M12.75 13.9h1.5" />
      <rect x="2.5" y="7" width="3.25" height="9.75" rx="1.25" />
    </>
  ),
  send: (
    <>
      <path d="M17 3 2.75 8.6l5.5 3.15L11.4 17.25 17 3z" />
      <path d="m8.25 11.75 4-4" />
    </>
  ),
  inbox: (
    <>
      <path d="M5.2 3.75h9.6l2.45 7v4.5a1 1 0 0 1-1 1H3.75a1 1 0 0 1-1-1v-4.5z" />
      <path d="M2.75 10.75h4.1c.3 1.6 1.5 2.5 3.15 2.5s2.85-.9 3.15-2.5h4.1" />
    </>
  ),
  work: <path d="m3 5.6 1.4 1.4 2.4-2.7M3 13.6 4.4 15l2.4-2.7M10 5.75h7M10 13.75h7" />,
  sent: (
    <>
      <path d="M11.5 2.75H5.75a1 1 0 0 0-1 1v12.5a1 1 0 0 0 1 1h8.5a1 1 0 0 0 1-1V6.5z" />
      <path d="M11.5 2.75V6.5h3.75M7.5 11.9l1.8 1.8 3.2-3.7" />
    </>
  ),
  contacts: (
    <>
      <rect x="4" y="3" width="12.5" height="14" rx="1" />
      <path d="M2.5 7h3M2.5 13h3" />
      <circle cx="10.5" cy="8.25" r="2" />
      <path d="M7.25 13.9c.4-1.7 1.6-2.5 3.25-2.5s2.85.8 3.25 2.5" />
    </>
  ),
  costs: (
    <>
      <path d="M4.75 2.75h10.5v14.5l-1.75-1.3-1.75 1.3L10 15.95l-1.75 1.3-1.75-1.3-1.75 1.3z" />
      <path d="M7.75 6.75h4.5M7.75 10.25h4.5" />
    </>
  ),
  access: (
    <>
      <circle cx="6.75" cy="13.25" r="3.5" />
      <path d="m9.25 10.75 7.5-7.5M13.5 6.5l2.25 2.25M11 9l1.5 1.5" />
    </>
  ),
  settings: (
    <>
      <path d="M3 6h7.25M13.75 6H17M3 14h3.25M9.75 14H17" />
      <circle cx="12" cy="6" r="1.75" />
      <circle cx="8" cy="14" r="1.75" />
    </>
  ),
  system: <path d="M2.5 10.5h3.25L8 4.5l4 11 2.25-5h3.25" />,
  search: (
    <>
      <circle cx="9" cy="9" r="5.25" />
      <path d="m13 13 4 4" />
    </>
  ),
  phone: (
    <path d="M5.2 3h2.3l1.3 3.6-1.7 1.3c.8 1.9 2.1 3.2 4 4l1.3-1.7 3.6 1.3v2.3A2.2 2.2 0 0 1 13.8 16 10.8 10.8 0 0 1 3 5.2 2.2 2.2 0 0 1 5.2 3z" />
  ),
  down: <path d="m5.5 8 4.5 4.5L14.5 8" />,
  right: <path d="m8 5.5 4.5 4.5L8 14.5" />,
  left: <path d="M12 5.5 7.5 10l4.5 4.5" />,
  plus: <path d="M10 4v12M4 10h12" />,
  close: <path d="m5 5 10 10M15 5 5 15" />,
  check: <path d="m4 10.5 4 4 8-9" />,
  ok: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="m6.75 10.25 2.25 2.25 4.25-4.75" />
    </>
  ),
  warn: (
    <>
      <path d="M10 3.25 17.75 16.5H2.25z" />
      <path d="M10 8v4M10 14.15v.1" />
    </>
  ),
  alert: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="M10 6v4.75M10 13.4v.1" />
    </>
  ),
  question: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="M7.9 8a2.1 2.1 0 1 1 3 1.9c-.6.3-.9.7-.9 1.4M10 13.6v.1" />
    </>
  ),
  info: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="M10 9.25v4.5M10 6.4v.1" />
    </>
  ),
  clock: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="M10 5.75V10l2.75 2" />
    </>
  ),
  late: (
    <>
      <circle cx="10" cy="10" r="7.25" fill="currentColor" stroke="none" />
      <path d="M10 5.75V10l2.75 2" stroke="var(--surface)" />
    </>
  ),
  up: <path d="M10 16.5V4M5 9l5-5 5 5" />,
  lower: <path d="M10 3.5V16M5 11l5 5 5-5" />,
  grip: <path d="M7.5 5v.01M7.5 10v.01M7.5 15v.01M12.5 5v.01M12.5 10v.01M12.5 15v.01" strokeWidth="2.25" />,
  file: (
    <>
      <path d="M11.5 2.75H5.75a1 1 0 0 0-1 1v12.5a1 1 0 0 0 1 1h8.5a1 1 0 0 0 1-1V6.5z" />
      <path d="M11.5 2.75V6.5h3.75" />
    </>
  ),
  image: (
    <>
      <rect x="3" y="4" width="14" height="12" rx="1" />
      <circle cx="7.25" cy="8" r="1.25" />
      <path d="m3.5 14.5 4.25-3.75 2.75 2.25 2.75-2.5 3.5 3.25" />
    </>
  ),
  upload: <path d="M10 13V3.75M6.25 7.25 10 3.5l3.75 3.75M3.5 13v2.5a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1V13" />,
  download: <path d="M10 3.5V13M6.25 9.25 10 13l3.75-3.75M3.5 13v2.5a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1V13" />,
  rotate: (
    <>
      <path d="M15.8 8.25A6.25 6.25 0 1 0 16.25 10" />
      <path d="M16.25 4.25v4h-4" />
    </>
  ),
  'zoom-in': (
    <>
      <circle cx="9" cy="9" r="5.25" />
      <path d="m13 13 4 4M9 6.75v4.5M6.75 9h4.5" />
    </>
  ),
  'zoom-out': (
    <>
      <circle cx="9" cy="9" r="5.25" />
      <path d="m13 13 4 4M6.75 9h4.5" />
    </>
  ),
  'fit-width': <path d="M3 4v12M17 4v12M6 10h8M8 7.5 5.5 10 8 12.5M12 7.5l2.5 2.5-2.5 2.5" />,
  'fit-page': (
    <>
      <rect x="5" y="2.75" width="10" height="14.5" rx="1" />
      <path d="M10 6v8M8 8l2-2 2 2M8 12l2 2 2-2" />
    </>
  ),
  print: (
    <>
      <path d="M6 7V3h8v4M6 14H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-2" />
      <path d="M6 11.5h8V17H6z" />
    </>
  ),
  open: (
    <path d="M11.5 3.5h5v5M16.5 3.5 9.5 10.5M14.5 11.5v4a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1h4" />
  ),
  back: (
    <>
      <path d="M7.5 4.5 3.25 8.75 7.5 13" />
      <path d="M3.5 8.75h8.25A4.75 4.75 0 0 1 16.5 13.5v2" />
    </>
  ),
  panel: (
    <>
      <rect x="3" y="4" width="14" height="12" rx="1" />
      <path d="M12.25 4v12" />
    </>
  ),
  thumbs: (
    <>
      <rect x="3" y="4" width="14" height="12" rx="1" />
      <path d="M7.75 4v12M4.9 7h1M4.9 10h1" />
    </>
  ),
  more: <path d="M5 10v.01M10 10v.01M15 10v.01" strokeWidth="2.25" />,
  'add-person': (
    <>
      <circle cx="8" cy="7" r="3" />
      <path d="M2.5 16.5c.5-3.2 2.5-4.75 5.5-4.75s5 1.55 5.5 4.75M15.5 7.5v4M13.5 9.5h4" />
    </>
  ),
  person: (
    <>
      <circle cx="10" cy="7" r="3" />
      <path d="M4.5 16.5c.5-3.2 2.5-4.75 5.5-4.75s5 1.55 5.5 4.75" />
    </>
  ),
  group: (
    <>
      <circle cx="7.5" cy="7.5" r="2.75" />
      <path d="M2.5 16c.4-2.9 2.2-4.25 5-4.25s4.6 1.35 5 4.25M13 5a2.6 2.6 0 0 1 0 5M14.5 12.1c1.7.5 2.7 1.8 3 3.9" />
    </>
  ),
  refresh: (
    <>
      <path d="M16.25 9A6.35 6.35 0 0 0 5 6.2L3.5 8M3.75 11A6.35 6.35 0 0 0 15 13.8l1.5-1.8" />
      <path d="M3.5 4.25V8h3.75M16.5 15.75V12h-3.75" />
    </>
  ),
  mail: (
    <>
      <rect x="2.75" y="4.5" width="14.5" height="11" rx="1" />
      <path d="m3.25 5.5 6.75 5.25 6.75-5.25" />
    </>
  ),
  shield: (
    <>
      <path d="M10 2.75 16 5v4.5c0 3.7-2.4 6.3-6 7.75-3.6-1.45-6-4.05-6-7.75V5z" />
      <path d="m7.25 9.75 2 2 3.5-4" />
    </>
  ),
  copy: (
    <>
      <rect x="7" y="7" width="9.5" height="9.5" rx="1" />
      <path d="M13 4.5v-1h-9.5V13h1" />
    </>
  ),
  hand: <path d="M3 7h12.5M12.25 3.75 15.5 7l-3.25 3.25M17 13H4.5M7.75 9.75 4.5 13l3.25 3.25" />,
  eye: (
    <>
      <path d="M2.5 10S5.25 5 10 5s7.5 5 7.5 5-2.75 5-7.5 5-7.5-5-7.5-5Z" />
      <circle cx="10" cy="10" r="2.25" />
    </>
  ),
  lock: (
    <>
      <rect x="4.5" y="9" width="11" height="7.5" rx="1" />
      <path d="M7 9V6.25a3 3 0 0 1 6 0V9" />
    </>
  ),
  bell: <path d="M5 13.5V9a5 5 0 0 1 10 0v4.5l1.25 1.25H3.75zM8.5 17h3" />,
  pause: <path d="M7 5v10M13 5v10" strokeWidth="2" />,
  pending: <circle cx="10" cy="10" r="7.25" strokeDasharray="2.6 3" />,
  current: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <circle cx="10" cy="10" r="3" fill="currentColor" stroke="none" />
    </>
  ),
  going: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="M10 13.5v-7M7 9l3-3 3 3" />
    </>
  ),
  note: <path d="M3.5 4.25h13v9H9.25L5.75 16.5v-3.25H3.5zM6.75 7.5h6.5M6.75 10h4" />,
  flag: <path d="M5 17V3.5M5 4h9.5l-2 3.5 2 3.5H5" />,
  calendar: (
    <>
      <rect x="3" y="4.5" width="14" height="12" rx="1" />
      <path d="M3 8.5h14M7 2.75V6M13 2.75V6" />
    </>
  ),
  keyboard: (
    <>
      <rect x="2.5" y="5" width="15" height="10" rx="1" />
      <path d="M5.5 8.25h.01M8.5 8.25h.01M11.5 8.25h.01M14.5 8.25h.01M6.5 11.75h7" />
    </>
  ),
  undo: (
    <>
      <path d="M7 4 3.5 7.5 7 11" />
      <path d="M3.75 7.5h7.75a4.25 4.25 0 0 1 0 8.5H8" />
    </>
  ),
  power: <path d="M10 3v6.5M6 5.6a6 6 0 1 0 8 0" />,
  block: (
    <>
      <circle cx="10" cy="10" r="7.25" />
      <path d="m5 5 10 10" />
    </>
  ),
  report: (
    <>
      <path d="M11.5 2.75H5.75a1 1 0 0 0-1 1v12.5a1 1 0 0 0 1 1h8.5a1 1 0 0 0 1-1V6.5z" />
      <path d="M11.5 2.75V6.5h3.75M7.5 10h5M7.5 13h3" />
    </>
  ),
} as const;

export type IconName = keyof typeof ICON_SHAPES;
