package syntax

// table returns the languages. The words are those that a reader looks for,
// not all that a compiler knows.
func table() []*Language {
	var all []*Language
	for _, part := range [][]*Language{systems(), managed(), scripts(), data(), texts()} {
		all = append(all, part...)
	}
	return all
}

func plainQuotes() []quote {
	return []quote{{from: `"`, to: `"`, escape: true}, {from: "'", to: "'", escape: true}}
}

// systems are the languages of C's family that are compiled to the machine.
func systems() []*Language {
	return []*Language{
		{
			names: "go golang", files: ".go", line: "//", block: "/* */",
			quotes:   append(plainQuotes(), quote{from: "`", to: "`", lines: true}),
			keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
			types:    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr",
			values:   "true false nil iota",
		},
		{names: "gomod go.mod", files: "go.mod go.work", line: "//", keywords: "module go toolchain require replace exclude retract tool use godebug", quotes: plainQuotes(), letters: "./-"},
		{
			names: "rust rs", files: ".rs", line: "//", block: "/* */", nests: true, caps: true, bang: true, prefixes: "b c",
			quotes: []quote{{from: `"`, to: `"`, escape: true, lines: true}, {from: "'", to: "'", escape: true}},
			own:    rust, ask: "'r#b",
			keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return static struct super trait type union unsafe use where while yield",
			types:    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self",
			values:   "true false self None Some Ok Err",
		},
		{
			names: "c cpp c++ cc cxx h hpp objc objective-c arduino cuda", files: ".c .h .cc .cpp .cxx .hpp .hh .ino .m .mm .cu",
			line: "//", block: "/* */", hash: true, prefixes: "l u u8", quotes: plainQuotes(), own: cpp, ask: "R",
			keywords: "alignas alignof asm auto break case catch class co_await co_return co_yield concept const consteval constexpr const_cast continue decltype default delete do dynamic_cast else enum explicit export extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register reinterpret_cast requires restrict return sizeof static static_assert static_cast struct switch template this thread_local throw try typedef typeid typename union using virtual volatile while",
			types:    "bool char char8_t char16_t char32_t double float int int8_t int16_t int32_t int64_t long short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t uintptr_t unsigned void wchar_t string vector FILE",
			values:   "true false NULL nullptr",
		},
		{
			names: "swift", files: ".swift", line: "//", block: "/* */", nests: true, caps: true, at: true, hash: true,
			quotes:   []quote{{from: `"""`, to: `"""`, escape: true, lines: true}, {from: `"`, to: `"`, escape: true}},
			keywords: "actor any as associatedtype async await break case catch class continue convenience default defer deinit didSet do dynamic else enum extension fallthrough fileprivate final for func get guard if import in indirect infix init inout internal is isolated lazy let mutating nonisolated open operator optional override postfix precedencegroup prefix private protocol public repeat required rethrows return set some static struct subscript super switch throw throws try typealias unowned var weak where while willSet",
			values:   "true false nil self Self",
		},
		{
			names: "zig", files: ".zig .zon", line: "//", quotes: plainQuotes(), at: true,
			keywords: "align allowzero and anyframe anytype asm break callconv catch comptime const continue defer else enum errdefer error export extern fn for if inline linksection noalias opaque or orelse packed pub resume return struct suspend switch test threadlocal try union unreachable usingnamespace var volatile while",
			types:    "bool f32 f64 i8 i16 i32 i64 isize type u8 u16 u32 u64 usize void anyerror noreturn", values: "true false null undefined",
		},
		{
			names: "proto protobuf", files: ".proto", line: "//", block: "/* */", quotes: plainQuotes(), caps: true,
			keywords: "enum extend extensions import map message oneof option optional package public repeated required reserved returns rpc service stream syntax to weak",
			types:    "bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64", values: "true false max",
		},
	}
}

// managed are the languages that run on a machine of their own.
func managed() []*Language {
	return []*Language{
		{
			names: "java groovy gradle", files: ".java .groovy .gradle", line: "//", block: "/* */", caps: true, at: true,
			quotes:   append([]quote{{from: `"""`, to: `"""`, escape: true, lines: true}}, plainQuotes()...),
			keywords: "abstract assert break case catch class const continue default def do else enum extends final finally for goto if implements import instanceof interface module native new non-sealed package permits private protected public record return sealed static strictfp super switch synchronized this throw throws transient try var volatile when while yield",
			types:    "boolean byte char double float int long short void", values: "true false null",
		},
		{
			names: "kotlin kt", files: ".kt .kts", line: "//", block: "/* */", nests: true, caps: true, at: true,
			quotes: []quote{
				{from: `"""`, to: `"""`, lines: true, insert: '$'},
				{from: `"`, to: `"`, escape: true, insert: '$'},
				{from: "'", to: "'", escape: true},
			},
			keywords: "abstract actual annotation as break by catch class companion const constructor continue crossinline data do dynamic else enum expect external final finally for fun get if import in infix init inline inner interface internal is lateinit noinline object open operator out override package private protected public reified return sealed set super suspend tailrec this throw try typealias typeof val value var vararg when where while",
			values:   "true false null it",
		},
		{
			names: "csharp c# cs fsharp f#", files: ".cs .csx", line: "//", block: "/* */", caps: true, hash: true,
			quotes: append([]quote{
				{from: `"""`, to: `"""`, lines: true},
				{from: `$@"`, to: `"`, doubled: true, lines: true},
				{from: `@$"`, to: `"`, doubled: true, lines: true},
				{from: `@"`, to: `"`, doubled: true, lines: true},
				{from: `$"`, to: `"`, escape: true},
			}, plainQuotes()...),
			keywords: "abstract as async await base break case catch checked class const continue default delegate do else enum event explicit extern file finally fixed for foreach get global goto if implicit in init interface internal is lock nameof namespace new operator out override params partial private protected public readonly record ref required return sealed set sizeof stackalloc static struct switch this throw try typeof unchecked unsafe using var virtual volatile when where while with yield",
			types:    "bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort void", values: "true false null value",
		},
		{
			names: "scala", files: ".scala .sc", line: "//", block: "/* */", nests: true, caps: true, at: true, prefixes: "s f r raw",
			quotes:   append([]quote{{from: `"""`, to: `"""`, lines: true}}, plainQuotes()...),
			keywords: "abstract case catch class def do else enum export extends extension final finally for forSome given if implicit import lazy match new object override package private protected return sealed super then this throw trait try type using val var while with yield",
			values:   "true false null None Some",
		},
		{
			names: "dart", files: ".dart", line: "//", block: "/* */", caps: true, at: true, prefixes: "r",
			quotes: append([]quote{
				{from: `"""`, to: `"""`, escape: true, lines: true, insert: '$'},
				{from: "'''", to: "'''", escape: true, lines: true, insert: '$'},
			}, quote{from: `"`, to: `"`, escape: true, insert: '$'}, quote{from: "'", to: "'", escape: true, insert: '$'}),
			keywords: "abstract as assert async await base break case catch class const continue covariant default deferred do dynamic else enum export extends extension external factory final finally for get hide if implements import in interface is late library mixin new on operator part required rethrow return sealed set show static super switch sync this throw try typedef var void when while with yield",
			types:    "bool double int num", values: "true false null",
		},
	}
}

// scripts are the languages that are run from their source.
func scripts() []*Language {
	braces := quote{from: "`", to: "`", escape: true, lines: true, insert: '$'}
	js := "async await break case catch class const continue debugger default delete do else export extends finally for from function get if import in instanceof let new of return set static super switch this throw try typeof var void while with yield"
	return []*Language{
		{
			names: "python py python3 starlark bazel", files: ".py .pyi .pyw .bzl .bazel sconstruct", line: "#", at: true, caps: true,
			prefixes: "r b f u t br rb fr rf",
			quotes: append([]quote{
				{from: `"""`, to: `"""`, escape: true, lines: true},
				{from: "'''", to: "'''", escape: true, lines: true},
			}, plainQuotes()...),
			keywords: "and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
			types:    "bool bytes dict float frozenset int list object set str tuple type", values: "True False None self cls",
		},
		{
			names: "javascript js jsx mjs cjs node", files: ".js .jsx .mjs .cjs", line: "//", block: "/* */", letters: "$", caps: true, at: true,
			quotes: append(plainQuotes(), braces), own: javascript, ask: "/<", keywords: js,
			values: "true false null undefined NaN Infinity",
		},
		{
			names: "typescript ts tsx mts cts deno bun", files: ".ts .tsx .mts .cts", line: "//", block: "/* */", letters: "$", caps: true, at: true,
			quotes: append(plainQuotes(), braces), own: javascript, ask: "/<",
			keywords: js + " abstract as asserts declare enum implements infer interface is keyof module namespace override private protected public readonly satisfies type unique",
			types:    "any bigint boolean never number object string symbol unknown void", values: "true false null undefined NaN Infinity",
		},
		{
			names: "ruby rb irb", files: ".rb .rake .gemspec .ru rakefile gemfile podfile vagrantfile", line: "#", letters: "?", caps: true, own: ruby, ask: ":@$<=/",
			quotes:   []quote{{from: `"`, to: `"`, escape: true, lines: true, insert: '#'}, {from: "'", to: "'", escape: true, lines: true}, {from: "`", to: "`", escape: true}},
			keywords: "alias and attr_accessor attr_reader attr_writer begin break case class def defined? do else elsif end ensure extend for if in include loop module next not or private protected public raise redo require require_relative rescue retry return super then undef unless until when while yield",
			values:   "true false nil self __FILE__ __method__",
		},
		{
			names: "php", files: ".php .phtml", line: "// #", block: "/* */", sigil: '$', caps: true, own: php, ask: "<?#",
			quotes:   []quote{{from: `"`, to: `"`, escape: true, lines: true, insert: '$'}, {from: "'", to: "'", escape: true, lines: true}},
			keywords: "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while xor yield",
			types:    "bool float int iterable mixed never object string void", values: "true false null self parent TRUE FALSE NULL",
		},
		{
			names: "lua luau", files: ".lua .luau", line: "--", quotes: plainQuotes(), own: lua, ask: "-[",
			keywords: "and break do else elseif end for function goto if in local not or repeat return then until while", values: "true false nil self",
		},
		{
			names: "perl pl raku", files: ".pl .pm .t", line: "#", sigil: '$', quotes: plainQuotes(),
			keywords: "and bless die do each else elsif eval foreach for given grep if keys last local map my next no not or our package print push redo require return say shift sub unless until use when while",
		},
		{
			names: "elixir ex exs erlang", files: ".ex .exs", line: "#", letters: "?", caps: true, at: true,
			quotes:   append([]quote{{from: `"""`, to: `"""`, escape: true, lines: true, insert: '#'}}, quote{from: `"`, to: `"`, escape: true, insert: '#'}),
			keywords: "after alias and case catch cond def defdelegate defexception defimpl defmacro defmodule defp defprotocol defstruct do else end fn for if import in not or quote raise receive require rescue try unless unquote use when with",
			values:   "true false nil",
		},
		{
			names: "sql mysql postgres postgresql psql sqlite plsql", files: ".sql .ddl .psql", line: "--", block: "/* */", folds: true,
			quotes:   []quote{{from: "'", to: "'", doubled: true, lines: true}, {from: `"`, to: `"`, doubled: true}, {from: "`", to: "`"}, {from: "$$", to: "$$", lines: true}},
			keywords: "add all alter analyze and any as asc begin between by case cascade check collate column commit conflict constraint create cross current database default deferrable delete desc distinct do drop each else end except exists explain filter first for foreign from full function grant group having if ignore in index inner insert instead intersect into is join key last left like limit materialized natural not nothing nulls of offset on or order outer over partition pragma primary procedure references rename replace restrict returning returns right rollback row schema select sequence set table temp temporary then to transaction trigger truncate union unique update using vacuum values view virtual when where window with without",
			types:    "bigint blob bool boolean bytea char date datetime decimal double float int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar", values: "true false null",
		},
		{names: "sh bash zsh shell ksh dash fish ash shellscript", files: ".sh .bash .zsh .ksh .fish .bashrc .zshrc .profile .bash_profile .envrc", read: shell, letters: "-"},
		{names: "console shell-session sh-session terminal", read: console},
	}
}

// data are the languages that say what something is.
func data() []*Language {
	numbers := "true false null yes no on off"
	return []*Language{
		{names: "json jsonc json5 jsonl ndjson", files: ".json .jsonc .json5 .jsonl .ndjson .webmanifest .ipynb", line: "//", block: "/* */", keys: true, quotes: plainQuotes(), values: "true false null"},
		{names: "yaml yml", files: ".yaml .yml", read: yaml, line: "#", quotes: []quote{{from: `"`, to: `"`, escape: true}, {from: "'", to: "'", doubled: true}}, values: numbers + " True False ~"},
		{
			names: "toml ini properties dotenv env conf cfg editorconfig gitconfig", line: "#", read: settings, values: numbers + " inf nan",
			files:  ".toml .ini .cfg .conf .properties .env .editorconfig .gitconfig .service .timer .desktop cargo.lock",
			quotes: append([]quote{{from: `"""`, to: `"""`, escape: true, lines: true}, {from: "'''", to: "'''", lines: true}}, plainQuotes()...),
		},
		{
			names: "hcl terraform tf nomad", files: ".tf .tfvars .hcl", line: "# //", block: "/* */", letters: "-",
			quotes: []quote{{from: `"`, to: `"`, escape: true, insert: '$'}}, values: "true false null",
			keywords: "backend data dynamic for for_each if in locals module moved output provider resource terraform variable",
		},
		{
			names: "graphql gql", files: ".graphql .gql", line: "#", at: true, caps: true, sigil: '$', values: "true false null",
			quotes:   []quote{{from: `"""`, to: `"""`, lines: true}, {from: `"`, to: `"`, escape: true}},
			keywords: "directive enum extend fragment implements input interface mutation on query repeatable scalar schema subscription type union",
		},
		{
			names: "nix", files: ".nix", line: "#", block: "/* */", letters: "-", values: "true false null",
			quotes: []quote{{from: "''", to: "''", lines: true, insert: '$'}, {from: `"`, to: `"`, escape: true, lines: true, insert: '$'}}, keywords: "assert else if import in inherit let or rec then with",
		},
	}
}

// texts are the languages of documents and of what goes with code.
func texts() []*Language {
	return []*Language{
		{names: "html xml svg vue svelte xhtml htm astro", files: ".html .htm .xml .svg .vue .svelte .xhtml .xsd .xsl .plist .csproj .astro .wsdl", read: markup},
		{
			names: "css scss sass less", files: ".css .scss .sass .less", line: "//", block: "/* */", letters: "-", own: css, ask: "@.#$-:/",
			quotes: plainQuotes(),
		},
		{names: "markdown md mdx", files: ".md .markdown .mdx", read: markdown},
		{names: "dockerfile docker containerfile", files: "dockerfile containerfile .dockerfile", read: dockerfile},
		{names: "makefile make mk just justfile", files: "makefile gnumakefile .mk .mak justfile", read: makefile},
		{names: "diff patch udiff", files: ".diff .patch", read: diff},
	}
}
