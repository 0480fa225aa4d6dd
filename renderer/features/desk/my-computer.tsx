import { useQuery } from '@tanstack/react-query';
import type { DesktopPrinter } from '../../../shared/desktop.ts';
import { contextQuery } from '../../api/queries.ts';
import { useDesktopPreferences } from '../../parts/desktop-preferences.ts';
import { t } from '../../texts/desk.ts';
import { Choice } from '../../ui/choice.tsx';
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
      </div>
    </section>
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
