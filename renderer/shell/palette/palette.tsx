import { useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { TextField } from 'react-aria-components/TextField';
import { t } from '../../texts/index.ts';
import { type Action, useRegisteredActions } from '../../ui/actions.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Keys } from '../../ui/keys.tsx';
import { type Entry, type Section, useBeginsFirst, useContains } from './entries.ts';
import styles from './palette.module.css';
import { useReceivedFaxes, useSentFaxes, useWorkItems } from './use-faxes.ts';
import { useNewFax } from './use-new-fax.ts';
import { usePlaces } from './use-screens.ts';

/** Every screen, page, setting and action, every fax that was sent or received, and a fax to a number, by typing a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const sections = [
    ...useActionSections(query),
    ...useNewFax(query),
    ...usePlaces(query),
    ...useReceivedFaxes(query),
    ...useWorkItems(query),
    ...useSentFaxes(query),
  ];
  const run = (id: unknown) => {
    const all = sections.flatMap((section) => section.entries.map((entry) => ({ section, entry })));
    const { entry } = all.find((it) => keyOf(it.section, it.entry) === id) ?? {};
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
        <MenuItem
          key={entry.id}
          id={keyOf(section, entry)}
          textValue={entry.label}
          className={styles['entry']}
        >
          <Icon name={entry.icon} />
          <span className={styles['word']}>{entry.label}</span>
          {entry.aside && <span className={styles['aside']}>{entry.aside}</span>}
          {entry.keys && <Keys of={entry.keys} />}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

/** Returns the key of an entry in the whole menu: the actions of two screens may have the same id. */
const keyOf = ({ title }: Section, { id }: Entry): string => `${title}: ${id}`;

const entryOf = (action: Action): Entry => ({
  id: action.id,
  label: action.label,
  icon: action.icon ?? 'right',
  keys: action.keys,
  run: action.run,
});

/** The actions registered last belong to what the person looks at, so they come first; before them what begins as typed. */
function useActionSections(query: string): Section[] {
  const contains = useContains(query);
  const beginsFirst = useBeginsFirst(query);
  const fits = (action: Action) => !action.isDisabled && !['palette', 'search'].includes(action.id);
  return useRegisteredActions()
    .toReversed()
    .map((group) => ({
      title: group.title,
      entries: group.actions
        .filter((action) => fits(action) && contains(action.label))
        .toSorted((one, other) => beginsFirst(one.label, other.label))
        .map(entryOf),
    }))
    .filter((section) => section.entries.length > 0)
    .toSorted((one, other) => beginsFirst(one.entries[0]?.label ?? '', other.entries[0]?.label ?? ''));
}
