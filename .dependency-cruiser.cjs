/**
 * The house's arrows (docs/adr/0001): identity <- privacy <- graph <- {collaboration, proposals}, everything on the
 * kernel, each context through its one door. Each rule has a planted violation in test/architecture.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const CONTEXTS = [
  'identity',
  'privacy',
  'graph',
  'provenance',
  'sync',
  'proposals',
  'collaboration',
  'delivery',
  'import',
  'oversight',
  'portability',
  'oauth',
  'mcp',
  'console',
];
const MAY_IMPORT = {
  identity: [],
  privacy: ['identity'],
  graph: ['privacy', 'identity'],
  provenance: ['graph', 'privacy', 'identity'],
  sync: ['graph', 'privacy', 'identity'],
  delivery: ['graph', 'privacy', 'identity'],
  collaboration: ['graph', 'privacy', 'identity'],
  proposals: ['graph', 'privacy', 'identity'],
  import: ['graph', 'privacy', 'identity'],
  oversight: ['graph', 'privacy', 'identity'],
  portability: ['graph', 'privacy', 'identity'],
  oauth: ['privacy', 'identity'],
  mcp: ['identity'],
  console: [],
};

const arrows = CONTEXTS.map((context) => {
  const others = CONTEXTS.filter((other) => other !== context && !MAY_IMPORT[context].includes(other));
  return {
    name: `arrow-${context}`,
    comment: `${context} imports only ${MAY_IMPORT[context].join(', ') || 'the kernel'}`,
    severity: 'error',
    from: { path: `^src/${context}/` },
    to: { path: `src/(${others.join('|')})/` },
  };
});

const doors = CONTEXTS.map((context) => ({
  name: `door-${context}`,
  comment: `${context} is entered through its index.ts`,
  severity: 'error',
  from: { path: '^src/', pathNot: `src/${context}/` },
  to: { path: `src/${context}/`, pathNot: `src/${context}/index\\.ts$` },
}));

/** The rooms of the graph: parts of one context, each with a door and a module of its own. */
const ROOMS = {
  common: [],
  lists: ['common'],
  tags: ['common', 'lists'],
  schemas: ['common', 'lists'],
  nodes: ['common', 'lists', 'tags', 'schemas'],
  relationships: ['common', 'lists', 'nodes'],
  files: ['common', 'lists', 'tags', 'nodes'],
  search: ['common', 'lists', 'nodes'],
  edits: ['common', 'tags', 'schemas', 'nodes', 'relationships'],
};
const roomArrows = Object.entries(ROOMS).map(([room, below]) => ({
  name: `room-${room}`,
  comment: `${room} imports only ${below.join(', ') || 'no other room'}`,
  severity: 'error',
  from: { path: `^src/graph/${room}/` },
  to: { path: '^src/graph/[^/]+/', pathNot: `^src/graph/(${[room, ...below].join('|')})/` },
}));
const roomDoors = Object.keys(ROOMS).map((room) => ({
  name: `room-door-${room}`,
  comment: `${room} is entered through its index.ts`,
  severity: 'error',
  from: { path: '^src/graph/', pathNot: `^src/graph/${room}/` },
  to: { path: `^src/graph/${room}/`, pathNot: `^src/graph/${room}/index\\.ts$` },
}));

/**
 * The folders of the kernel that write, each on the ones before it. Reachability also finds ways round by other files:
 * what makes writes faster may be read last, and nothing below depends on it.
 */
const WRITING = ['database', 'change-log', 'write-batching'];
const writingArrows = WRITING.slice(0, -1).map((folder, index) => ({
  name: `kernel-${folder}`,
  comment: `${folder} depends on ${WRITING.slice(0, index).join(', ') || 'no other folder of the kernel that writes'}`,
  severity: 'error',
  from: { path: `^src/kernel/${folder}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: `^src/kernel/(${WRITING.slice(index + 1).join('|')})/`, reachable: true },
}));

module.exports = {
  forbidden: [
    ...arrows,
    ...doors,
    ...roomArrows,
    ...roomDoors,
    ...writingArrows,
    {
      name: 'kernel-knows-no-context',
      severity: 'error',
      from: { path: 'src/(kernel|config)/' },
      to: { path: `src/(${CONTEXTS.join('|')})/` },
    },
    {
      name: 'libs-know-nothing-of-us',
      comment: 'src/libs could be packages of their own: they import no other part of the service',
      severity: 'error',
      from: { path: '^src/libs/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(src|test)/', pathNot: '^src/libs/' },
    },
    {
      name: 'libs-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/libs/([^/]+)/' },
      to: { path: '^src/libs/[^/]+/', pathNot: '^src/libs/$1/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'the domain imports no library of persistence or HTTP and no other layer',
      severity: 'error',
      from: { path: 'src/.+/domain/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '(^|/)(@nestjs|typeorm|pg|express|class-validator|class-transformer)(/|$)|src/.+/(application|infrastructure|http)/|kernel/(database|write-batching|http|clock|change-log/unit-of-work)',
      },
    },
    {
      name: 'http-stays-outside',
      comment: 'services and repositories do not know controllers, DTOs or presenters',
      severity: 'error',
      from: { path: 'src/.+/(application|infrastructure)/' },
      to: { path: '(^|/)express(/|$)|src/.+/http/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'what nobody imports is deleted',
      severity: 'error',
      from: { orphan: true, path: 'src/', pathNot: '\\.spec\\.ts$' },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'], conditionNames: ['import', 'types', 'node'] },
  },
};
