import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { TextField } from 'react-aria-components/TextField';
import { client } from '../api/client.ts';
import { useReceives } from '../api/inbound.ts';
import { useMe, usePermission } from '../api/queries.ts';
import { partsFor } from '../features/access/part-names.ts';
import { inboundState, senderOf } from '../features/inbound/fax-words.ts';
import { faxState } from '../parts/fax-state.ts';
import { t } from '../texts/index.ts';
import { type Action, useOfferedActions } from '../ui/actions.tsx';
import { formatWhen, usePhoneFormat } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Keys } from '../ui/keys.tsx';
import styles from './palette.module.css';

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly keys?: string | undefined;
  readonly aside?: string;
  readonly run: () => void;
}

interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

const MOST_FAXES = 6;

/** Every screen, every action and every fax that was sent or received, by typing a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const sections = [
    ...useActionSections(query),
    ...useAccessSection(query),
    ...useReceivedSection(query),
    ...useFaxSection(query),
  ];
  const run = (id: unknown) => {
    const entry = sections.flatMap((section) => section.entries).find((it) => it.id === id);
    onClose();
    entry?.run();
  };
  return (
    <ModalOverlay
      className={styles['scrim']}
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={styles['palette']}>
        <Dialog aria-label={t.shell.palette} className={styles['dialog']}>
          <Autocomplete inputValue={query} onInputChange={setQuery}>
            <TextField aria-label={t.shell.palette} autoFocus className={styles['query']}>
              <Icon name="search" />
              <Input className={styles['input']} placeholder={t.shell.search} />
              <Keys of="escape" />
            </TextField>
            <Menu
              className={styles['results']}
              aria-label={t.shell.palette}
              onAction={run}
              renderEmptyState={() => <p className={styles['empty']}>{t.shell.paletteEmpty(query)}</p>}
            >
              {sections.map((section) => (
                <PaletteSection key={section.title} section={section} />
              ))}
            </Menu>
          </Autocomplete>
          <footer className={styles['foot']}>
            <Keys of="arrowup" />
            <Keys of="arrowdown" /> {t.shell.paletteFoot.choose}
            <Keys of="enter" /> {t.shell.paletteFoot.run}
          </footer>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteSection({ section }: { section: Section }) {
  return (
    <MenuSection>
      <Header className={styles['group']}>{section.title}</Header>
      {section.entries.map((entry) => (
        <MenuItem key={entry.id} id={entry.id} textValue={entry.label} className={styles['entry']}>
          <Icon name={entry.icon} />
          <span className={styles['word']}>{entry.label}</span>
          {entry.aside && <span className={styles['aside']}>{entry.aside}</span>}
          {entry.keys && <Keys of={entry.keys} />}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

const entryOf = (action: Action): Entry => ({
  id: action.id,
  label: action.label,
  icon: action.icon ?? 'right',
  keys: action.keys,
  run: action.run,
});

/** What was offered last belongs to what the person looks at, so it comes first. */
function useActionSections(query: string): Section[] {
  const { contains } = useFilter({ sensitivity: 'base' });
  const fits = (action: Action) => !action.isDisabled && !['palette', 'search'].includes(action.id);
  return useOfferedActions()
    .toReversed()
    .map((group) => ({
      title: group.title,
      entries: group.actions.filter((action) => fits(action) && contains(action.label, query)).map(entryOf),
    }))
    .filter((section) => section.entries.length > 0);
}

/** The parts of Access by name. */
function useAccessSection(query: string): Section[] {
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const permissions = useMe()?.permissions ?? [];
  if (query.trim() === '') return [];
  const entries = partsFor(permissions)
    .filter(({ label }) => contains(label, query.trim()))
    .map(
      ({ part, label, icon }): Entry => ({
        id: `access-${part}`,
        label,
        icon,
        run: () => void navigate({ to: '/access/{-$part}/{-$id}', params: { part, id: undefined } }),
      }),
    );
  return entries.length > 0 ? [{ title: t.shell.access, entries }] : [];
}

/** Received faxes by a part of their number. */
function useReceivedSection(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const text = query.trim();
  const receives = useReceives() === true;
  const mayList = usePermission('inbound:list');
  const enabled = receives && mayList && /\d{2}/u.test(text);
  const faxes = useQuery({
    queryKey: ['palette-received', text],
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) => client.inbound.pageInbound({ query: { q: text, limit: MOST_FAXES }, signal }),
  }).data?.items;
  if (!enabled || !faxes?.length) return [];
  const entries = faxes.map((fax): Entry => {
    const { word, icon } = inboundState(fax);
    return {
      id: fax.id,
      label: t.shell.faxFrom(senderOf(fax, phone), word),
      icon,
      aside: formatWhen(fax.received_at),
      run: () => void navigate({ to: '/inbox/{-$faxId}', params: { faxId: fax.id } }),
    };
  });
  return [{ title: t.shell.receivedFaxes, entries }];
}

function useFaxSection(query: string): Section[] {
  const navigate = useNavigate();
  const phone = usePhoneFormat();
  const text = query.trim();
  const faxes = useQuery({
    queryKey: ['palette', text],
    enabled: usePermission('fax:read') && text.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: ({ signal }) => client.outbound.listFaxes({ query: { q: text, limit: MOST_FAXES }, signal }),
  });
  if (text.length < 2 || !faxes.data) return [];
  const entries = faxes.data.items.map((fax): Entry => {
    const { word, icon } = faxState(fax);
    return {
      id: fax.id,
      label: t.shell.faxTo(fax.contact?.name ?? phone(fax.to), word),
      icon,
      aside: formatWhen(fax.created_at),
      run: () => void navigate({ to: '/sent/{-$faxId}', params: { faxId: fax.id } }),
    };
  });
  const all: Entry = {
    id: 'all-faxes',
    label: t.shell.allFaxesWith(text),
    icon: 'search',
    run: () => void navigate({ to: '/sent/{-$faxId}', params: {}, search: { q: text } }),
  };
  return [{ title: t.shell.faxes, entries: [...entries, all] }];
}
