import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import type { Column } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { AccessList } from '../lists/access-list.tsx';
import { NewButton } from '../lists/new-button.tsx';
import { openDetails } from '../lists/open-details.tsx';
import { PartPanes } from '../lists/part-panes.tsx';
import type { PartProps } from '../part-names.ts';
import { useOpenDetails } from '../use-open-details.ts';
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
  const show = useOpenDetails('devices');
  const onClose = () => show(undefined);
  return (
    <PartPanes
      title={t.access.devices}
      actions={<NewButton part={t.access.devices} label={words.pair} onPress={() => setPairing(true)} />}
      details={openDetails({ id, pages: devices, label: words.details, onClose }, (device) => (
        <DeviceDetails
          key={device.id}
          device={device}
          policyVersion={devices.policyVersion}
          onClose={onClose}
        />
      ))}
    >
      <p className={styles['sentence']}>{words.sentence}</p>
      {maySee ? (
        <AccessList
          label={t.access.devices}
          list={devices}
          columns={COLUMNS}
          rowClassName={styles['cells']}
          openId={id}
          onShow={show}
          empty={
            <EmptyState icon="phone" title={words.empty}>
              {words.emptySentence}
            </EmptyState>
          }
        />
      ) : (
        <p className={styles['sentence']}>{words.mayNotSee}</p>
      )}
      {isPairing && (
        <PairDialog
          devices={maySee && !devices.isOpening ? devices.items : null}
          onClose={() => setPairing(false)}
        />
      )}
    </PartPanes>
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
