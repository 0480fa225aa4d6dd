import { useQuery } from '@tanstack/react-query';
import type { DesktopPrinter } from '../../../shared/desktop.ts';
import { quietEnd, quietEnds } from '../../../shared/quiet-time.ts';
import { contextQuery } from '../../api/queries.ts';
import { useDesktopPreferences } from '../../parts/desktop-preferences.ts';
import { useMinute } from '../../parts/use-minute.ts';
import { t } from '../../texts/desk.ts';
import { Choice } from '../../ui/choice.tsx';
import { formatClock } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './my-settings.module.css';

const words = t.desk.computer;
/** Stands for no choice; ids and names of printers are others. */
const NONE = 'none';

/** Mailbox and printer of the computer whose window this is; nothing in a browser. */
export function MyComputer() {
  const { preferences, changing } = useDesktopPreferences();
  const mailboxes = useQuery(contextQuery).data?.send?.mailboxes ?? [];
  const printers = usePrinters();
  // An application of an earlier release keeps neither.
  if (!preferences || printers === null) return null;
  const { mailbox, printer } = preferences;
  const change = (changes: Parameters<typeof changing.mutate>[0]) =>
    changing.mutate(changes, { onSuccess: () => announce(words.saved) });
  return (
    <section className={styles['part']} aria-label={words.title}>
      <h2 className={styles['title']}>{words.title}</h2>
      <p className={styles['quiet']}>{words.sentence}</p>
      {changing.error !== null && (
        <Notice tone="danger" isLive>
          {words.failed}
        </Notice>
      )}
      <div className={styles['form']}>
        {mailboxes.length > 0 && (
          <Choice
            label={words.mailbox}
            help={words.mailboxHelp}
            options={[{ id: NONE, label: words.noMailbox }, ...mailboxes]}
            value={mailboxes.some(({ id }) => id === mailbox) ? mailbox : NONE}
            onChange={(id) => change({ mailbox: id === NONE ? null : id })}
          />
        )}
        <Choice
          label={words.printer}
          help={words.printerHelp}
          options={printerOptions(printers, printer)}
          value={printer ?? NONE}
          onChange={(name) => change({ printer: name === NONE ? null : name })}
        />
        {preferences.quietUntil !== undefined && (
          <Quiet until={preferences.quietUntil} onChange={(quietUntil) => change({ quietUntil })} />
        )}
      </div>
    </section>
  );
}

/** Chooses how long no notices of the system are shown. */
function Quiet(props: { until: string | null; onChange: (until: string | null) => void }) {
  const now = useMinute();
  const end = quietEnd(props.until, now.getTime());
  const tomorrow = quietEnds(now).morning.toISOString();
  return (
    <Choice
      label={words.quiet}
      help={words.quietHelp}
      options={[
        { id: 'off', label: words.quietOff },
        ...(end === null ? [] : [{ id: 'on', label: words.quietUntil(formatClock(end)) }]),
        { id: 'hour', label: words.quietHour },
        { id: 'morning', label: words.quietMorning(formatClock(tomorrow)) },
      ]}
      value={end === null ? 'off' : 'on'}
      onChange={(id) => {
        const { hour, morning } = quietEnds(new Date());
        const ends = { off: null, on: end, hour: hour.toISOString(), morning: morning.toISOString() };
        props.onChange(ends[id as keyof typeof ends]);
      }}
    />
  );
}

/** Returns the printers of this computer; null in an application that cannot list them, and while they load. */
function usePrinters(): readonly DesktopPrinter[] | null {
  const list = window.faxdesk?.printers;
  const printers = useQuery({
    queryKey: ['desktop-printers'],
    enabled: list !== undefined,
    // A printer may have been added since.
    staleTime: 0,
    queryFn: async () => (await list?.()) ?? [],
  });
  return printers.data ?? null;
}

/** A printer that is gone stays in the list as long as it is the choice. */
function printerOptions(printers: readonly DesktopPrinter[], chosen: string | null) {
  const isGone = chosen !== null && !printers.some(({ name }) => name === chosen);
  return [
    { id: NONE, label: words.noPrinter },
    ...printers.map(({ name, label }) => ({ id: name, label })),
    ...(isGone ? [{ id: chosen, label: words.goneLabel(chosen) }] : []),
  ];
}
