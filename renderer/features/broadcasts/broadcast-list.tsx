import { type Broadcast, broadcasts } from '../../api/broadcasts.ts';
import { FoundList } from '../../parts/lists/found-list.tsx';
import { t } from '../../texts/broadcasts.ts';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';

const words = t.broadcasts;

/** Returns the state, the number of recipients, and when it was made; for one that waits, when it begins. */
function noteOf({ state, recipients, created_at, send_at }: Broadcast): string {
  const people = words.people(formatCount(recipients), recipients === 1);
  if (state === 'scheduled' && send_at !== null)
    return `${words.startsAt(formatDayAndTime(send_at))}, ${people}`;
  return `${words.states[state]}, ${people}, ${formatDayAndTime(created_at)}`;
}

/** Lists the broadcasts, newest first. */
export function BroadcastList(props: { openId: string | undefined; onOpen: (id: string) => void }) {
  return (
    <FoundList<Broadcast>
      {...props}
      name="broadcasts"
      words={words}
      read={(query, signal) => broadcasts.listBroadcasts({ query, signal })}
      nameOf={({ name }) => name}
      noteOf={noteOf}
    />
  );
}
