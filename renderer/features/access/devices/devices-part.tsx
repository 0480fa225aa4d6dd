import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { ListPart } from '../lists/list-part.tsx';
import { NewButton } from '../lists/new-button.tsx';
import type { PartProps } from '../part-names.ts';
import { DeviceDetails } from './device-details.tsx';
import { type Device, deviceName, useDevices } from './device-queries.ts';
import styles from './devices.module.css';
import { PairDialog } from './pair-dialog.tsx';

const words = t.access.device;

/** The phones that may send and read faxes, and the way to one more. */
export function DevicesPart({ id }: PartProps) {
  const maySee = usePermission('users:read');
  const [isPairing, setPairing] = useState(false);
  const devices = useDevices(isPairing);
  return (
    <ListPart
      part="devices"
      id={id}
      title={t.access.devices}
      actions={<NewButton part={t.access.devices} label={words.pair} onPress={() => setPairing(true)} />}
      above={<p className={styles['sentence']}>{words.sentence}</p>}
      rows={devices}
      labels={{ list: t.access.devices, details: words.details }}
      columns={COLUMNS}
      rowClassName={styles['cells']}
      empty={
        <EmptyState icon="phone" title={words.empty}>
          {words.emptySentence}
        </EmptyState>
      }
      instead={maySee ? undefined : <p className={styles['sentence']}>{words.mayNotSee}</p>}
      details={(device, onClose) => (
        <DeviceDetails
          key={device.id}
          device={device}
          policyVersion={devices.policyVersion}
          onClose={onClose}
        />
      )}
    >
      {isPairing && (
        <PairDialog
          devices={maySee && !devices.isOpening ? devices.items : null}
          onClose={() => setPairing(false)}
        />
      )}
    </ListPart>
  );
}

const COLUMNS: readonly Column<Device>[] = [
  { id: 'name', head: words.name, cell: (device) => deviceName(device) },
  {
    id: 'paired',
    head: words.paired,
    isQuiet: true,
    room: 'medium',
    cell: ({ created_at: at }) => <span title={formatFully(at)}>{formatWhen(at)}</span>,
  },
  {
    id: 'used',
    head: words.used,
    isQuiet: true,
    cell: ({ last_seen_at: at }) =>
      at === null ? words.never : <span title={formatFully(at)}>{formatWhen(at)}</span>,
  },
];
