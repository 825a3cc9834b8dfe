/** Rules by which a section of a JSON Résumé about activities becomes EXPERIENCE nodes. */
export interface ExperienceSection {
  section: string;
  tag: string;
  /** Fields that are tried in turn. */
  role: string[];
  organisation: string[];
  /** The word that joins role and organisation in the title: "Teacher at CoderDojo". */
  joint: string;
  start: string[];
  end: string[];
  /** The relationship from the experience to the organisation. */
  relation: string;
}

export const EXPERIENCE_SECTIONS: ExperienceSection[] = [
  {
    section: 'work',
    tag: 'work',
    role: ['position'],
    organisation: ['name', 'company'],
    joint: 'at',
    start: ['startDate'],
    end: ['endDate'],
    relation: 'worked_at',
  },
  {
    section: 'volunteer',
    tag: 'volunteering',
    role: ['position'],
    organisation: ['organization'],
    joint: 'at',
    start: ['startDate'],
    end: ['endDate'],
    relation: 'volunteered_at',
  },
  {
    section: 'education',
    tag: 'education',
    role: ['studyType'],
    organisation: ['institution'],
    joint: 'at',
    start: ['startDate'],
    end: ['endDate'],
    relation: 'studied_at',
  },
  {
    section: 'projects',
    tag: 'projects',
    role: ['name'],
    organisation: ['entity'],
    joint: 'for',
    start: ['startDate'],
    end: ['endDate'],
    relation: 'made_for',
  },
  {
    section: 'awards',
    tag: 'awards',
    role: ['title'],
    organisation: ['awarder'],
    joint: 'from',
    start: ['date'],
    end: ['date'],
    relation: 'awarded_by',
  },
  {
    section: 'certificates',
    tag: 'certificates',
    role: ['name'],
    organisation: ['issuer'],
    joint: 'from',
    start: ['date'],
    end: ['date'],
    relation: 'issued_by',
  },
  {
    section: 'publications',
    tag: 'publications',
    role: ['name'],
    organisation: ['publisher'],
    joint: 'published by',
    start: ['releaseDate'],
    end: ['releaseDate'],
    relation: 'published_by',
  },
];

export const OTHER_SECTIONS = ['basics', 'skills', 'languages', 'interests', 'references', 'meta', '$schema'];
