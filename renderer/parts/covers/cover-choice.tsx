import { useQuery } from '@tanstack/react-query';
import { coversQuery } from '../../api/covers.ts';
import { usePermission } from '../../api/queries.ts';
import { Choice } from '../../ui/choice.tsx';

/** Choice of the cover page of a contact or a mailbox, for people who may see cover pages. */
export function CoverChoice(props: {
  label: string;
  help?: string;
  /** Label of the choice without one. */
  none: string;
  /** ID of the cover page; empty for none. */
  value: string;
  isDisabled?: boolean;
  onChange: (id: string) => void;
}) {
  const { none, value, ...rest } = props;
  const maySee = usePermission('fax:send');
  const found = useQuery({ ...coversQuery({ to: null, mailbox: null }), enabled: maySee }).data?.items;
  if (found === undefined) return null;
  const options = [{ id: '', label: none }, ...found.map(({ id, name }) => ({ id, label: name }))];
  // One that was removed is none.
  return <Choice {...rest} options={options} value={found.some(({ id }) => id === value) ? value : ''} />;
}
