import { openedAddress } from '../../api/page-token.ts';
import { t } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { formatCount } from '../../ui/format.ts';
import { PaneHead } from '../../ui/pane.tsx';
import type { ContactsList } from './use-contacts-list.ts';

const words = t.contacts;

/** Name of the screen, how many contacts there are, and the ways in and out. */
export function ListHead(props: {
  list: ContactsList;
  /** Null without the right to it. */
  onAdd: (() => void) | null;
  onImport: (() => void) | null;
}) {
  const { list, onAdd, onImport } = props;
  return (
    <PaneHead title={words.title} level={1} count={<span role="status">{countText(list)}</span>}>
      {list.items.length > 0 && (
        <DownloadLink href={openedAddress('/contacts/export')}>{words.export}</DownloadLink>
      )}
      {onImport && <Button onPress={onImport}>{words.import}</Button>}
      {onAdd && (
        <Button variant="primary" icon="plus" keys="shift+n" onPress={onAdd}>
          {words.add}
        </Button>
      )}
    </PaneHead>
  );
}

function countText(list: ContactsList): string {
  const here = list.items.length;
  if (list.isWhole) return words.count(formatCount(here), here === 1);
  return list.isOpening ? '' : words.moreThan(formatCount(here));
}
