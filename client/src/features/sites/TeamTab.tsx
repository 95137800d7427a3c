import type { Site } from 'server/contract';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';

/** Who answers for this site, to read. */
export function TeamTab({ site }: { site: Site }) {
  return (
    <ul aria-label="Team" className="divide-y rounded-card border bg-surface">
      {site.team.map(({ userId, role }) => (
        <li key={userId._id} className="flex items-center gap-3 px-4 py-3">
          <Avatar name={userId.name} />
          <div className="min-w-0 flex-1">
            <p dir="auto" className="truncate font-medium">
              {userId.name}
            </p>
            <p className="truncate text-muted">{userId.email}</p>
          </div>
          <Badge>
            <span className="capitalize">{role}</span>
          </Badge>
        </li>
      ))}
    </ul>
  );
}
