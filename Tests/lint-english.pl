#!/usr/bin/perl
# Finds habits of English that make a stranger read a sentence twice, in comments, string literals and Markdown.
#
#   Tests/lint-english.pl              checks the paths in @all; prints "file:line: habit: better form", fails on a hit
#   Tests/lint-english.pl PATH...      checks these files and folders instead
#   Tests/lint-english.pl --count      prints how many hits each folder and each habit has
#
# Code, code spans and fenced blocks are not checked. A phrase that is good English belongs into @allowed.

use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

# The paths that are checked when none is given.
my @all = qw(
    README.md MigrationGuide.md CONTRIBUTING.md CHANGELOG.md Documentation Benchmarks/README.md
    Benchmarks/Notes.md Sources Adapters Tools/Sources Examples
);

# A relative clause before the verb, which ends in a verb, so that two verbs meet: "A key that the app has given is".
# A short clause without a subject of its own, "A child that is discarded is closed", is allowed.
my $single = qr/(?:is|was|has|does|can|cannot|may|must|would|gets|throws|stays|keeps|goes|begins|comes|takes|makes|costs|counts|
    fails|waits|passes|leaves|needs|brings|shows|conflicts|clashes)\b/x;
my $verb = qr/(?:$single|(?:are|were|have|do|get|stay|keep|go|come|begin)\b)/;
my $participle = qr/(?:\w+ )?(?:[a-z]+e[dn]|made|left|kept|put|set|read|had|lost|sent|met|found|brought|got|begun)/;
my $last = qr/(?:(?:has|have|is|are|was|were)[ ]$participle|has|have|(?:does|do)[ ]not[ ]\w+|cannot[ ]\w+|
    (?:may|can|could|must)[ ](?:be[ ])?\w+|[a-z]+[ ](?:to|of|for|with|on|about|from))/x;
my $after = qr/(?: (?:again|alone|once|twice|meanwhile|too|here|itself|before|inside \w+ \w+))? /;
my $third = qr/(?!this|its|less|always|as |others|process|parentheses)[a-z]+s/;
my $of = qr/(?:after|at|by|for|from|in|of|on|to|under|with) (?:which|whose)\b/;
my $subject = qr/(?:an?|the|its|their|another|each|every|one|no|it|this|both|all|others?|several|two|they|we|you|these|some|many)\b/;
my $clause = qr/(?:that|which)[ ](?:
    (?=$subject)(?:[\w-]+[ ]){1,9}?$last$after$verb
    |(?:an?|another|each|every|one|it|this)\b(?:[ ][\w-]+){0,6}?[ ]$third$after$verb
    |the(?:[ ][\w-]+){1,6}?[ ]$third$after$single
    |the[ ](?!\w+ss)\w+s[ ](?!which|that|of)\w+$after$verb)
    |whose[ ](?:[\w-]+[ ]){1,5}?(?:is|are|was|were|has|have|can|cannot|does|do|exists|fail|lead|differs)\b
    (?:[ ][\w-]+){0,4}?[ ]$single/x;

# A habit: its pattern (case is ignored, unless the pattern says otherwise), its name, the better form.
my @habits = (
    [qr/\bbehind\b/i, '"behind"', 'after, following'],
    [qr/\banew\b/i, '"anew"', 'again, a new ..., from scratch'],
    [qr/\b(?:nobody|somebody|anybody|everybody|whoever|no one|someone|anyone)\b/i, 'unnamed party',
        'name the party (the app, another process, the caller) or use the passive'],
    [qr/\b(?:is|are|was|were|be) (?:no(?! (?:longer|more|less|fewer|larger|greater|later|earlier)\b)|none)\b/i,
        '"is no"', 'is not a ...'],
    [qr/\blet(?:s|ting)?(?: \w+){0,3} go\b/i, '"let go"', 'release, close'],
    [qr/\blook(?:s|ed|ing)? at\b/i, '"look at"', 'check, verify, read'],
    [qr/\b(?:a|the) look at\b/i, '"the look at"', 'the check of'],
    [qr/\bis, is\b/i, '"what it is, is"', 'make it the object: "reads the kind of the file"'],
    [qr/\bin (?:its|their|his) own words?\b/i, '"in its own words"', 'as its own message'],
    [qr/\bcontradicts? (?:itself|themselves|each other)\b/i, '"contradicts itself"', 'is inconsistent'],
    [qr/\b(?:app|engine|store|user|caller|adapter)'s (?:own )?word\b/i, '"the app\'s word"', 'a promise by the app'],
    [qr/\bwhat (?:the|an?|its|his|their) (?:\w+ ){1,2}(?:says?|tells?)\b/i, 'a thing that speaks',
        'rethrows errors of ..., the value in ...'],
    [qr/\b(?:is|are|was|were|be|gets?) told\b(?! (?:not )?to\b)/i, '"is told"', 'is reported, learns'],
    [qr/\b(?:is|are|was|were) to be\b/i, '"is to be"', 'must be, should be'],
    [qr/\bto be had\b/i, '"to be had"', 'available'],
    [qr/\bbut for\b/i, '"but for"', 'except'],
    [qr/\bthrough with\b/i, '"through with"', 'finished, processed'],
    [qr/\bof one's own\b/i, '"of one\'s own"', 'its own, custom'],
    [qr/\bnever used again\b/i, '"never used again"', 'never reused'],
    [qr/\bstands? (?:in|beside|under|on|there|between|above|below)\b/i, '"stands in"', 'is in'],
    [qr/\bas what\b/i, '"as what"', 'as the ... that'],
    [qr/\b(?:not|never|cannot) (?:\w+ )?(?:nobody|nothing|none|nowhere)\b|\bnobody, in no\b/i, 'double negative',
        'a single negative'],
    [qr/(?<=[.;:] )What (?:[\w`]+ ){1,8}\w+\.(?= |$)/, 'a sentence without a verb of its own',
        'a sentence with subject and verb'],
    [qr/\b(?:that|those) of\b(?! (?:you|us|them)\b)/i, '"that of"', 'name the thing: its parent\'s count, the rows of the call'],
    [qr/(?:^(?:[-*] |\d+\. )?|(?<=[.:;] ))Where\b(?![^.!]*\?)/, '"where" for "if"', 'If ..., When ...'],
    [qr/, where\b(?!:)/i, '"where" for "if"', 'if ..., in which ..., because ...'],
    [qr/(?:\b(?:nil|none|nothing|true|false|zero|0|empty|only|also|even|except|or|not)|_) where\b/i, '"where" for "if"',
        'if ..., even if ..., unless ...'],
    [qr/\bwhere (?:there|no|none|nothing|neither|both|any(?! [\w.]+ \{)|all|one)\b/, '"where" for "if"', 'if ...'],
    [qr/\bwhere (?:it|they|that|this) (?:has|have|does|do|can|may|would|could|must|fits?|needs?)\b/, '"where" for "if"',
        'if ...'],
    [qr/\bwhere (?:it|they|that|this) (?:is|are|was) (?:not|nil|the|an?|needed|asked|known|named|used)\b/,
        '"where" for "if"', 'if ...'],
    [qr/\bwhere (?:(?:it|they) (?:is|are) (?:missing|long|short|equal)|it (?:returns|throws|cannot|sorts))\b/, '"where" for "if"',
        'if ...'],
    [qr/(?<!place )\bwhere (?:another|an?) [\w-]+ (?:\w+ )?(?:has|can|cannot|may|is)\b(?![^.!]*\?)/, '"where" for "if"',
        'if ..., in which ..., at which ...'],
    [qr/\b(?:go|goes|going|gone|went) on\b/i, '"goes on"', 'continues'],
    [qr/\bas (?:it|they) (?:is|was|are|were)(?=[.,;:)]| $)/, '"as it is"', 'unchanged, the current ..., the earlier ...'],
    [qr/(?<!soon )(?<!long )\bas (?:it|they) (?:is|was|are|were)(?= (?:in|before|and|when|at|if|after|then|now|on|until|while|or|of)\b)/,
        '"as it is"', 'unchanged, the current ..., the earlier ...'],
    [qr/(?:^(?:[-*] |\d+\. )?|(?<=[.:;] ))(?:What|Whatever|Whoever|Whichever)\b(?![^.!]*\?)/, 'a clause as the subject',
        'a noun: The rows that ..., The changes of ...'],
    [qr/(?:^(?:[-*] |\d+\. )?|(?<=[.:;] ))Of (?=[a-z])/, 'a sentence that begins with "Of"', 'If several ..., The last of ...'],
    [qr/, so (?:is|are|was|were|does|do|has|have|can)\b/, '", so is ..."', '... is too'],
    [qr/, also (?=[a-z_])/, '", also"', 'including ..., even if ..., or ...'],
    [qr/(?:^(?:[-*] |\d+\. )?|(?<=[.:;] )|- (?:Parameters? )?\w+: )(?:Those|Theirs)\b/, '"Those" without a noun',
        'The items that ..., The rows of ...'],
    [qr/\bwhat becomes of\b/i, '"what becomes of"', 'the result of, the fate of, handles'],
    [qr/\bbesides\b(?=[.,;:])/i, '"besides"', 'in addition, also, too'],
    [qr/\b(?:hears?|heard) of\b/i, '"hears of"', 'is notified of, receives'],
    [qr/\btells\b/, '"tells"', 'reports, shows, notifies'],
    [qr/\basked of\b/, '"asked of"', 'name the call: its methods, the reads'],
    [qr/\b(?:once more|now and then|for whom)\b|\btoday's\b/i, 'a quaint phrase', 'again, periodically, whose, the current'],
    [qr/- (?:Parameters? \w+|Returns|Throws): (?:What|Whether|How|Where|Who|Why)\b/, 'clause for a noun',
        'a noun phrase: The ..., True if ..., The number of ...'],
    [qr/\b(?:behaviou|colou|honou|favou|neighbou)r|\b(?:initial|optim|recogn|normal|serial|organ|summar|minim|maxim|
        synchron|canonical|capital|general|special|custom)is(?:e[drs]?|ing|ations?)\b|\banalyse[ds]?\b|\bcentred?\b/ix,
        'British spelling', 'American spelling'],
);

# Only comments and documents, as a title or a message is one short sentence.
my @prose = (
    [qr/(?:^(?:[-*] |\d+\. )?|(?<=[.:;] ))(?:An?|The|Each|Every|All|Any|No) (?:(?!$of)[\w-]+ ){1,3}(?:$clause)(?= )/,
        'a relative clause before the verb', 'If the parent has the key, the row is dropped. The row is dropped if ...'],
);

# Only the summary of a declaration: the first line of a doc comment.
my @summaries = (
    [qr/^(?:What|Whether|Which|How|Where|Who|Whose|When|Why)\b/, 'summary that is a clause',
        'a noun phrase or a verb: The ..., Returns ..., True if ..., The number of ...'],
);

# Good English that a pattern above would hit, and the one word for which there is no better.
my @allowed = (
    'behind a lock', 'behind the lock', 'behind its back', 'behind the scenes', 'left behind', 'leave behind',
    'leaves behind', 'leaving behind', 'lags behind', 'lag behind', 'falls behind', 'plugin behind', 'decisions behind',
    'reason behind', 'behind these decisions', 'behind an `any', 'behind a protocol', 'behind an existential',
    'there is no', 'there is none', 'there are no', 'there are none', 'there was no', 'there were no', 'there was none',
    'there were none', 'There is no', 'There are no', 'no one schema', 'is told apart', 'are told apart',
    'be told apart',
);
my $allowed = join '|', map { quotemeta } @allowed;
$allowed = qr/$allowed/;

my $failures = 0;
my (%counts, %habits);
my $counts = 0;

if (@ARGV && $ARGV[0] eq '--count') {
    $counts = 1;
    check($_) for map { files($_) } @all;
    printf "%5d %s\n", $counts{$_}, $_ for sort keys %counts;
    printf "%5d %s\n", $habits{$_}, $_ for sort { $habits{$b} <=> $habits{$a} || $a cmp $b } keys %habits;
    printf "%5d in all\n", $failures;
    exit 0;
}
check($_) for map { files($_) } @ARGV ? @ARGV : @all;
exit($failures ? 1 : 0);

sub files {
    my ($path) = @_;
    return $path if -f $path;
    opendir my $folder, $path or die "lint-english: $path: $!\n";
    my @names = sort grep { !/^\./ } readdir $folder;
    closedir $folder;
    my @children = map { "$path/$_" } @names;
    return grep { -d $_ || /\.(?:swift|md)$/ } map { -d $_ ? files($_) : $_ } @children;
}

sub check {
    my ($path) = @_;
    open my $file, '<', $path or die "lint-english: $path: $!\n";
    my @lines = <$file>;
    close $file;
    chomp @lines;
    report($path, $_) for $path =~ /\.md$/ ? markdown(@lines) : swift(@lines);
}

# A passage is a list of [line number, text, true for a summary, true for a literal]: sentences go on from line to line.

sub markdown {
    my (@passages, @passage);
    my ($number, $isFenced) = (0, 0);
    for (@_, '') {
        $number += 1;
        if (/^\s*```/) { $isFenced = !$isFenced; next }
        next if $isFenced;
        if (/^\s*$/ || /^\s*(?:[-*#|>]|\d+\.)/) { push @passages, [@passage] if @passage; @passage = () }
        push @passage, [$number, $_] unless /^\s*$/;
    }
    return @passages;
}

sub swift {
    my (@passages, @comment, @literal);
    my ($number, $isText) = (0, 0);
    for my $line (@_, '') {
        $number += 1;
        if ($line =~ /"""/) { $isText = !$isText; next }
        if ($isText) { push @passages, [[$number, $line, 0, 1]]; next }
        if ($line =~ m{^\s*//(/?) ?(.*)}) {
            my ($isDocumented, $text) = ($1, $2);
            if (@comment && $text =~ /^\s*(?:$|- |\d+\. )/) { push @passages, [@comment]; @comment = () }
            push @comment, [$number, $text, $isDocumented && !@comment && ($number < 2 || $_[$number - 2] !~ m{^\s*//})];
            next;
        }
        push @passages, [@comment] if @comment;
        @comment = ();

        my @texts;
        my $code = $line;
        $code =~ s/"((?:[^"\\]|\\.)*)"/push @texts, $1; '""'/ge;
        if ($code =~ m{//+ ?(.*)}) { push @passages, [[$number, $1]] }
        if (@literal && $code !~ /^\s*\+/) { push @passages, [@literal]; @literal = () }
        push @literal, map { [$number, $_, 0, 1] } @texts;
    }
    push @passages, [@literal] if @literal;
    return @passages;
}

sub report {
    my ($path, $passage) = @_;
    my $text = '';
    my @starts;
    for my $part (@$passage) {
        my $words = $part->[1];
        $words =~ s{`+[^`]*`+}{'_' x length $&}ge;
        $words =~ s/^\s+//;
        push @starts, [length $text, $part->[0]];
        $text .= "$words ";
    }
    $text =~ s/($allowed)/'_' x length $1/ge;
    my ($isSummary, $isLiteral) = @{$passage->[0]}[2, 3];
    my @found = ($isSummary ? @summaries : (), @habits, $isLiteral ? () : @prose);
    for my $habit (@found) {
        my ($pattern, $name, $better) = @$habit;
        while ($text =~ /$pattern/g) {
            my $offset = $-[0];
            my ($line) = map { $_->[1] } grep { $_->[0] <= $offset } reverse @starts;
            $failures += 1;
            my $folder = $path;
            $folder =~ s{/[^/]*$}{};
            $counts{$folder} += 1;
            $habits{$name} += 1;
            printf "%s:%d: %s: %s [%s]\n", $path, $line, $name, $better, substr($text, $offset, 60) unless $counts;
        }
    }
}
